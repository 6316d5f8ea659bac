import { Badge, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ListedProject } from 'signpost-client';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { projectsQuery } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { IconFolders, IconPlus } from '../../components/icons';
import { PageButtons } from '../../components/page-buttons';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { SearchField } from '../../components/search-field';
import { useAddressState } from '../../components/use-address-state';
import { useLastPage } from '../../components/use-last-page';
import { useI18n } from '../../i18n/i18n';
import { NewProject } from './new-project';
import { type ProjectsSearch, projectsSearch } from './projects-search';

/** A shorter list needs no search. */
const maxUnsearched = 6;

/** Lists the projects of the account. Search and page are in the address. */
export function ProjectsPage() {
  const { t, total } = useI18n();
  const [isAdding, adding] = useDisclosure();
  const { search, page } = useAddressState(projectsSearch);
  const navigate = useNavigate({ from: '/' });
  const projects = useQuery(projectsQuery(search, page));
  const change = (changes: ProjectsSearch): void =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });
  useLastPage(projects.data, (last) => change({ page: last }));
  // The field stays with its focus while a search finds few projects, or fails.
  const [isSearchable, setSearchable] = useState(search !== undefined);
  if (!isSearchable && projects.data && projects.data.pagination.total > maxUnsearched) setSearchable(true);
  const add = (
    <ActionButton operation="createProject" leftSection={<IconPlus size={18} aria-hidden />} onClick={adding.open}>
      {t('projects.new')}
    </ActionButton>
  );
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.projects')} lead={t('projects.lead')}>
        {add}
      </PageHead>
      <NewProject opened={isAdding} onClose={adding.close} />
      {isSearchable && (
        <SearchField label={t('projects.search')} search={search} onSearch={(text) => change({ search: text })} />
      )}
      <QueryView query={projects}>
        {({ data, pagination }) =>
          pagination.total === 0 && search === undefined ? (
            <Paper className="card">
              <EmptyState icon={IconFolders} title={t('projects.emptyTitle')} text={t('projects.emptyText')}>
                {add}
              </EmptyState>
            </Paper>
          ) : (
            <>
              <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
                {data.map((project) => (
                  <ProjectCard key={project.id} project={project} />
                ))}
              </SimpleGrid>
              <Group justify="space-between">
                <Text size="sm" c="dimmed" role="status">
                  {total('projects.count', pagination)}
                </Text>
                <PageButtons pages={pagination} onChange={(next) => change({ page: next })} />
              </Group>
            </>
          )
        }
      </QueryView>
    </Stack>
  );
}

function ProjectCard({ project }: { project: ListedProject }) {
  const { t, counted, date } = useI18n();
  return (
    <Paper className="card" p="lg">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Link className="row-link" to="/projects/$projectId" params={{ projectId: project.id }}>
            {project.name}
          </Link>
          <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
            {counted('projects.links', project._count.dynamic_links)}
          </Badge>
        </Group>
        <Text className="mono" size="sm" c="dimmed">
          {project.subdomain}
        </Text>
        <Text size="sm" c="dimmed">
          {t('projects.created', { date: date(project.created_at) })}
        </Text>
      </Stack>
    </Paper>
  );
}
