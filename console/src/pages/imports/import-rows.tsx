import { Badge, Box, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Import, ImportRow } from 'signpost-client';
import { importReport, importRowsQuery } from '../../api/import-queries';
import { retryDownload } from '../../api/retries';
import { ActionButton } from '../../components/action-button';
import { EmptyState } from '../../components/empty-state';
import { IconDownload, IconListDetails } from '../../components/icons';
import { showError } from '../../components/show-error';
import { PagedTable } from '../../components/paged-table';
import { ButtonLink } from '../../components/router-links';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';
import { saveFile } from '../link/save-file';
import { importSearch, type Outcome } from './import-search';
import { RecordCells } from './record-cells';
import { explainedReason } from './row-reasons';

const route = '/projects/$projectId/imports/$importId';
const pageSize = 25;

const colors: Record<Outcome, string> = {
  created: 'brand',
  replaced: 'blue',
  unchanged: 'gray',
  conflict: 'yellow',
  refused: 'red',
};

/** Lists rows with their outcomes and reasons, and downloads them as a file that people correct. */
export function ImportRows({ job }: { job: Import }) {
  const { t, number } = useI18n();
  const { outcome, page = 1 } = useAddressState(importSearch);
  const navigate = useNavigate({ from: route });
  const rows = useQuery(importRowsQuery(job, outcome, { page, limit: pageSize }));
  const time = job.predicted === null ? 'before' : 'after';
  const title = outcome ? t(`imports.outcome.${outcome}.${time}`) : t('imports.allRows');
  const download = useMutation({
    retry: retryDownload,
    mutationFn: async () =>
      saveFile(await importReport(job, outcome), `import-${job.source}${outcome ? `-${outcome}` : ''}.csv`),
    onError: (error) => showError(t('imports.reportFailed'), error),
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <div>
          <Title order={2}>{title}</Title>
          {(outcome === 'refused' || outcome === 'conflict') && (
            <Text size="sm" c="dimmed">
              {t('imports.reportHint')}
            </Text>
          )}
        </div>
        <Group gap="xs">
          {outcome && (
            <Button variant="default" onClick={() => void navigate({ search: {}, resetScroll: false })}>
              {t('imports.showAll')}
            </Button>
          )}
          <ActionButton
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {t('imports.report')}
          </ActionButton>
        </Group>
      </Group>
      <PagedTable
        query={rows}
        label={title}
        heads={[t('imports.row'), t('imports.outcome'), t('imports.content'), t('imports.reasons')]}
        empty={<EmptyState icon={IconListDetails} title={t('imports.noRows')} text={t('imports.noRowsText')} />}
        onPage={(next) =>
          void navigate({ search: (before) => ({ ...before, page: next }), replace: true, resetScroll: false })
        }
        rowOf={(row) => ({
          cells: [
            <>
              <span className="narrow-only">{t('imports.row')} </span>
              {number(row.row)}
            </>,
            <Badge variant="light" tt="none" miw="max-content" color={colors[row.outcome]}>
              {t(`imports.outcome.${row.outcome}.${time}`)}
            </Badge>,
            <Box maw={380}>
              <RecordCells row={row} />
            </Box>,
            <Box maw={340}>
              <Reasons row={row} />
            </Box>,
          ],
          actions: row.link_id !== null && (
            <ButtonLink
              to="/projects/$projectId/links/$linkId"
              params={{ projectId: job.project_id, linkId: row.link_id }}
              size="xs"
              variant="default"
              aria-label={t('imports.openLink', { row: number(row.row) })}
            >
              {t('imports.open')}
            </ButtonLink>
          ),
        })}
      />
    </Stack>
  );
}

function Reasons({ row: { problems, unmapped } }: { row: ImportRow }) {
  const { t } = useI18n();
  if (problems.length + unmapped.length === 0) return '–';
  return (
    <List size="sm" listStyleType="none" className="break">
      {problems.map(({ field, reason }, at) => (
        <Problem key={at} field={field} reason={reason} />
      ))}
      {unmapped.map(({ field, value }, at) => (
        <List.Item key={`unmapped ${at}`} c="dimmed">
          {t('imports.noPlace')} {field}: {value.slice(0, 100)}
        </List.Item>
      ))}
    </List>
  );
}

/** Explains a reason in the reader's language. One that the console does not know is in the words of the service. */
function Problem({ field, reason }: { field: string | null; reason: string }) {
  const { t } = useI18n();
  const explained = explainedReason(reason);
  return (
    <List.Item lang={explained ? undefined : 'en'}>
      {field !== null && (explained !== null || !reason.startsWith(field)) && <strong>{field}: </strong>}
      {explained ? t(explained.key, explained.parameters) : reason}
    </List.Item>
  );
}
