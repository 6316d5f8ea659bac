import { Stack } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { JournalEntry } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { historyQuery } from '../../api/journal-queries';
import { Confirm, type Confirmation } from '../../components/confirm';
import { PageHead } from '../../components/page-head';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';
import { Entries } from './entries';
import { filtersOf, historySearch, journalKinds } from './history-search';

const route = '/projects/$projectId/history';

/** Shows the changes of a project, and undoes them. */
export function HistoryPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: route });
  const state = useAddressState(historySearch);
  const navigate = useNavigate({ from: route });
  const client = useQueryClient();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const entries = useInfiniteQuery(historyQuery(projectId, filtersOf(state)));
  const undo = ({ sequence, type }: JournalEntry): void =>
    setConfirmation({
      title: t(type.endsWith('.deleted') ? 'history.restoreTitle' : 'history.undoTitle'),
      text: t(type.endsWith('.deleted') ? 'history.restoreText' : 'history.undoText'),
      action: t(type.endsWith('.deleted') ? 'history.restore' : 'history.undo'),
      isHarmless: true,
      run: async () => {
        const body = state.resource === undefined ? {} : { resource_id: state.resource };
        const params = { path: { projectId, sequence } };
        await answerOf(api.POST('/projects/{projectId}/history/{sequence}/restore', { params, body }));
        await client.invalidateQueries({ queryKey: ['project', projectId] });
      },
    });
  return (
    <Stack gap="lg">
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <PageHead title={t('nav.history')} lead={t('history.lead')} />
      <Entries
        query={entries}
        kinds={journalKinds.filter((kind) => !['account', 'api_key', 'member', 'person', 'audit_log'].includes(kind))}
        state={state}
        onState={(search) => void navigate({ search, replace: true })}
        onUndo={undo}
      />
    </Stack>
  );
}
