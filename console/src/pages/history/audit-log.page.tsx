import { Stack } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client';
import { auditLogQuery } from '../../api/journal-queries';
import { retryDownload } from '../../api/retries';
import { ActionButton } from '../../components/action-button';
import { IconDownload } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { showError } from '../../components/show-error';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';
import { saveFile } from '../link/save-file';
import { Entries } from './entries';
import { filtersOf, historySearch, journalKinds } from './history-search';

/** Shows the changes of all resources of the account, and downloads them. */
export function AuditLogPage() {
  const { t } = useI18n();
  const state = useAddressState(historySearch);
  const navigate = useNavigate({ from: '/audit-log' });
  const entries = useInfiniteQuery(auditLogQuery(filtersOf(state)));
  const download = useMutation({
    retry: retryDownload,
    mutationFn: async () => {
      const query = filtersOf(state);
      saveFile(
        await answerOf(api.GET('/account/audit-log/export', { params: { query }, parseAs: 'blob' })),
        'audit-log.ndjson',
      );
    },
    onError: (error) => showError(t('history.exportFailed'), error),
  });
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.auditLog')} lead={t('history.auditLead')}>
        <ActionButton
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {t('history.export')}
        </ActionButton>
      </PageHead>
      <Entries
        query={entries}
        kinds={journalKinds}
        state={state}
        onState={(search) => void navigate({ search, replace: true })}
      />
    </Stack>
  );
}
