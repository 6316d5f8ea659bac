import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { historyQuery } from '../../api/journal-queries';
import { PageHead } from '../../components/page-head';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';
import { Entries } from './entries';
import { filtersOf, historySearch, journalKinds } from './history-search';
import { useUndo } from './use-undo';

const route = '/projects/$projectId/history';

/** Shows the changes of a project, and undoes them. */
export function HistoryPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: route });
  const state = useAddressState(historySearch);
  const navigate = useNavigate({ from: route });
  const entries = useInfiniteQuery(historyQuery(projectId, filtersOf(state)));
  const undo = useUndo(projectId, state.resource);
  return (
    <Stack gap="lg">
      {undo.dialog}
      <PageHead title={t('nav.history')} lead={t('history.lead')} />
      <Entries
        query={entries}
        kinds={journalKinds.filter(
          (kind) => !['account', 'api_key', 'member', 'approval', 'user', 'request', 'audit_log'].includes(kind),
        )}
        state={state}
        onState={(search) => void navigate({ search, replace: true })}
        onUndo={undo.ask}
      />
    </Stack>
  );
}
