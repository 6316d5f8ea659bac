import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { linksQuery } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { IconLink, IconPlus, IconSpeakerphone } from '../../components/icons';
import { ButtonLink } from '../../components/router-links';
import { PageButtons } from '../../components/page-buttons';
import { useAddressState } from '../../components/use-address-state';
import { useLastPage } from '../../components/use-last-page';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { ExportMenu } from './export-menu';
import { LinkFilters } from './link-filters';
import { LinkSelection } from './link-selection';
import { LinkTable } from './link-table';
import { type LinksSearch, linksSearch, pageSizes } from './links-search';
import { TagManager } from './tag-manager';
import { useRowAction } from './use-row-action';
import { ViewsMenu } from './views-menu';

const route = '/projects/$projectId/links';

/** Lists the links of a project. Search, order, filters and page are in the address. */
export function LinksPage() {
  const { t, total } = useI18n();
  const { projectId } = useParams({ from: route });
  const state = useAddressState(linksSearch);
  const navigate = useNavigate({ from: route });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // The number of all matching links when they were selected, which confirms a change of them.
  const [allCount, setAllCount] = useState<number | null>(null);
  const { limit = 25, page = 1, sortBy = 'created_at', sortOrder = 'desc', ...filter } = state;
  const links = useQuery(linksQuery(projectId, { limit, page, sortBy, sortOrder, include: 'clicks', ...filter }));
  const isFiltered = Object.keys(filter).length > 0;
  const select = (ids: Iterable<string>): void => {
    setAllCount(null);
    setSelected(new Set(ids));
  };
  // A link to this page may change the filters too, for which nobody selected anything.
  const shown = JSON.stringify(filter);
  const [selectedIn, setSelectedIn] = useState(shown);
  if (selectedIn !== shown) {
    setSelectedIn(shown);
    select([]);
  }

  const change = (changes: Partial<LinksSearch>): void => {
    select([]);
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });
  };
  const followTag = (before: string, after: string | undefined): void => {
    if (filter.tag?.toLowerCase() === before.toLowerCase()) change({ tag: after });
  };
  const deselect = (ids: readonly string[]): void =>
    setSelected((before) => new Set([...before].filter((id) => !ids.includes(id))));
  const rows = useRowAction(projectId, (id) => deselect([id]));
  useLastPage(links.data, (last) => change({ page: last }));
  const add = (
    <ButtonLink
      operation="createDynamicLink"
      to="/projects/$projectId/links/new"
      params={{ projectId }}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      {t('links.new')}
    </ButtonLink>
  );

  return (
    <Stack gap="lg">
      <PageHead title={t('nav.links')} lead={t('links.lead')}>
        <Group gap="xs">
          <ViewsMenu
            projectId={projectId}
            state={state}
            onChoose={(search) => {
              select([]);
              void navigate({ search });
            }}
          />
          <ExportMenu projectId={projectId} />
          <TagManager projectId={projectId} onRenamed={followTag} />
          <ButtonLink
            operation="changeDynamicLinks"
            variant="default"
            to="/projects/$projectId/campaign"
            params={{ projectId }}
            leftSection={<IconSpeakerphone size={18} aria-hidden />}
          >
            {t('campaign.open')}
          </ButtonLink>
          {add}
        </Group>
      </PageHead>
      {rows.dialogs}
      <LinkFilters projectId={projectId} state={state} onChange={change} />
      <QueryView query={links} height={420}>
        {({ data, pagination }) => (
          <Stack gap="md" aria-busy={links.isPlaceholderData}>
            <LinkSelection
              projectId={projectId}
              links={data.filter(({ id }) => selected.has(id))}
              isWholePage={data.every(({ id }) => selected.has(id))}
              filter={{ archived: 'false', ...filter }}
              total={pagination.totalRelation ? null : pagination.total}
              allCount={allCount}
              onSelectAll={() => setAllCount(pagination.total)}
              onSelect={select}
              onDeselect={deselect}
            />
            <Paper className="card">
              {pagination.total === 0 ? (
                <EmptyState
                  icon={IconLink}
                  title={isFiltered ? t('links.noneFound') : t('links.emptyTitle')}
                  text={isFiltered ? t('links.noneFoundText') : t('links.emptyText')}
                >
                  {isFiltered ? (
                    <Button variant="default" onClick={() => void navigate({ search: {} })}>
                      {t('links.clearFilters')}
                    </Button>
                  ) : (
                    add
                  )}
                </EmptyState>
              ) : (
                <LinkTable
                  links={data}
                  selected={selected}
                  onSelect={select}
                  order={{ sortBy, sortOrder }}
                  onOrder={change}
                  actions={{ onAction: rows.onAction, onFilter: change }}
                />
              )}
            </Paper>
            <Group justify="space-between">
              <Text size="sm" c="dimmed" role="status">
                {total('links.count', pagination)}
              </Text>
              <Group gap="md">
                <Select
                  aria-label={t('links.pageSize')}
                  data={pageSizes.map((size) => ({ value: String(size), label: t('links.perPage', { size }) }))}
                  value={String(limit)}
                  onChange={(value) => change({ limit: Number(value) as (typeof pageSizes)[number] })}
                  allowDeselect={false}
                  w={150}
                />
                <PageButtons pages={pagination} onChange={(next) => change({ page: next })} />
              </Group>
            </Group>
          </Stack>
        )}
      </QueryView>
    </Stack>
  );
}
