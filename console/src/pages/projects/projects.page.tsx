import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconFolders, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedProject } from 'signpost-client';
import { useState } from 'react';
import { projectsQuery } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { NewProject } from './new-project';

export function ProjectsPage() {
  const { t, counted } = useI18n();
  const [isAdding, adding] = useDisclosure();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 200);
  const projects = useQuery(projectsQuery(search));
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={adding.open}>
      {t('projects.new')}
    </Button>
  );
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.projects')} lead={t('projects.lead')}>
        {add}
      </PageHead>
      <NewProject opened={isAdding} onClose={adding.close} />
      <QueryView query={projects}>
        {({ data, pagination }) =>
          pagination.total === 0 && search === '' ? (
            <Paper className="card">
              <EmptyState icon={IconFolders} title={t('projects.emptyTitle')} text={t('projects.emptyText')}>
                {add}
              </EmptyState>
            </Paper>
          ) : (
            <>
              {(pagination.total > 6 || search !== '') && (
                <TextInput
                  aria-label={t('projects.search')}
                  placeholder={t('projects.search')}
                  leftSection={<IconSearch size={16} aria-hidden />}
                  value={text}
                  onChange={(event) => setText(event.currentTarget.value)}
                  maw={360}
                />
              )}
              <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
                {data.map((project) => (
                  <ProjectCard key={project.id} project={project} />
                ))}
              </SimpleGrid>
              <Text size="sm" c="dimmed" role="status">
                {counted('projects.count', pagination.total)}
              </Text>
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
