import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Import } from 'signpost-client';
import { importsQuery } from '../../api/import-queries';
import { EmptyState } from '../../components/empty-state';
import { IconFileImport, IconPlus } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { PagedTable } from '../../components/paged-table';
import { ButtonLink } from '../../components/router-links';
import { useI18n } from '../../i18n/i18n';
import { outcomes } from './import-search';
import { ImportState } from './import-state';
import { useSourceName } from './use-source-name';

/** Lists the imports of a project. The service keeps 20, so that one page has them. */
export function ImportsPage() {
  const { t, number, dateTime } = useI18n();
  const sourceName = useSourceName();
  const { projectId } = useParams({ from: '/projects/$projectId/imports' });
  const imports = useQuery(importsQuery(projectId));
  const add = (
    <ButtonLink
      operation="createImport"
      to="/projects/$projectId/imports/new"
      params={{ projectId }}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      {t('imports.new')}
    </ButtonLink>
  );
  const resultOf = ({ counts, predicted }: Import): string => {
    const sums = outcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => t(`imports.sum.${outcome}`, { count: number(counts[outcome]) }))
      .join(', ');
    // Before the run, no link has changed.
    return sums !== '' && predicted === null ? t('imports.sum.prediction', { sums }) : sums;
  };
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.imports')} lead={t('imports.lead')}>
        {imports.data?.pagination.total !== 0 && add}
      </PageHead>
      <PagedTable
        query={imports}
        label={t('nav.imports')}
        heads={[t('imports.source'), t('imports.state'), t('imports.rows'), t('imports.result'), t('imports.started')]}
        empty={
          <EmptyState icon={IconFileImport} title={t('imports.emptyTitle')} text={t('imports.emptyText')}>
            {add}
          </EmptyState>
        }
        onPage={() => {}}
        rowOf={(job) => {
          const place = { projectId: job.project_id, importId: job.id };
          const source = sourceName(job.source);
          return {
            cells: [
              <Link className="row-link" to="/projects/$projectId/imports/$importId" params={place}>
                {source}
              </Link>,
              <ImportState job={job} />,
              number(job.rows),
              <Text size="sm">{resultOf(job) || '–'}</Text>,
              <Text size="sm" c="dimmed">
                {dateTime(job.created_at)}
              </Text>,
            ],
            actions: (
              <ButtonLink
                to="/projects/$projectId/imports/$importId"
                params={place}
                size="xs"
                variant="default"
                aria-label={t('imports.openName', { source, time: dateTime(job.created_at) })}
              >
                {t('imports.open')}
              </ButtonLink>
            ),
          };
        }}
      />
    </Stack>
  );
}
