import { Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Import } from 'signpost-client';
import { ApiError } from '../../api/api-error';
import { followImport } from '../../api/import-events';
import { hasRows, importQuery, isFetching, isWorking } from '../../api/import-queries';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { FetchProgress } from './fetch-progress';
import { ImportActions } from './import-actions';
import { ImportNotice } from './import-notice';
import { ImportProgress } from './import-progress';
import { ImportRows } from './import-rows';
import { ImportState } from './import-state';
import { OutcomeCounts } from './outcome-counts';
import { UnmappedValues } from './unmapped-values';
import { useSourceName } from './use-source-name';

/** Shows an import: its progress, what its rows do, and the decision to run it. */
export function ImportPage() {
  const { t } = useI18n();
  const { projectId, importId } = useParams({ from: '/projects/$projectId/imports/$importId' });
  const client = useQueryClient();
  const query = useQuery(importQuery(projectId, importId));
  const isRefused = query.error instanceof ApiError && query.error.isPermanent;
  const works = query.data !== undefined && isWorking(query.data) && !isRefused;
  useEffect(() => {
    if (!works) return;
    const leaving = new AbortController();
    void followImport(client, { projectId, importId }, leaving.signal);
    return () => leaving.abort();
  }, [client, projectId, importId, works]);
  const sourceName = useSourceName();
  const title = query.data ? t('imports.title', { source: sourceName(query.data.source) }) : t('nav.imports');
  return (
    <Stack gap="lg">
      <PageHead title={title} lead={query.data && <Facts job={query.data} />}>
        {query.data && <ImportActions job={query.data} />}
      </PageHead>
      <QueryView query={query} height={320}>
        {(job) => (
          <>
            <Step job={job} />
            {hasOutcomes(job) && <OutcomeCounts job={job} />}
            {hasRows(job) && (
              <>
                <UnmappedValues job={job} />
                <ImportRows job={job} />
              </>
            )}
          </>
        )}
      </QueryView>
    </Stack>
  );
}

/** Whether the dry run has begun, or has looked at a row before it ended. */
const hasOutcomes = (job: Import): boolean => (isWorking(job) ? job.state !== 'uploading' : job.processed > 0);

/** Shows the progress of a step, or what its end means. */
function Step({ job }: { job: Import }) {
  if (isFetching(job)) return <FetchProgress job={job} />;
  return isWorking(job) ? <ImportProgress job={job} /> : <ImportNotice job={job} />;
}

function Facts({ job }: { job: Import }) {
  const { t, counted, dateTime } = useI18n();
  // Before, the dry run is still counting them.
  const isCounted = job.state !== 'uploading' && job.state !== 'checking';
  return (
    <Group gap="xs">
      <ImportState job={job} />
      <Text c="dimmed" size="sm">
        {[
          ...(isCounted ? [counted('imports.rowCount', job.rows)] : []),
          t(`imports.policyNow.${job.conflict}`),
          t('imports.startedAt', { time: dateTime(job.created_at) }),
        ].join(' · ')}
      </Text>
    </Group>
  );
}
