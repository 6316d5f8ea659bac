import { useQueryClient } from '@tanstack/react-query';
import type { JournalEntry } from 'signpost-client';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Confirm, type Confirmation } from '../../components/confirm';
import { useI18n } from '../../i18n/i18n';

/**
 * Asks, and then undoes an entry of the history.
 * @param resource id of the only resource of a batch that is restored
 */
export function useUndo(
  projectId: string,
  resource?: string,
): { dialog: ReactNode; ask: (entry: JournalEntry) => void } {
  const { t } = useI18n();
  const client = useQueryClient();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const ask = ({ sequence, type }: JournalEntry): void => {
    const isDeleted = type.endsWith('.deleted');
    setConfirmation({
      title: t(isDeleted ? 'history.restoreTitle' : 'history.undoTitle'),
      text: t(isDeleted ? 'history.restoreText' : 'history.undoText'),
      action: t(isDeleted ? 'history.restore' : 'history.undo'),
      isHarmless: true,
      run: async () => {
        const body = resource === undefined ? {} : { resource_id: resource };
        const params = { path: { projectId, sequence } };
        await answerOf(api.POST('/projects/{projectId}/history/{sequence}/restore', { params, body }));
        await client.invalidateQueries({ queryKey: ['project', projectId] });
      },
    });
  };
  return { dialog: <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />, ask };
}
