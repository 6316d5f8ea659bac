import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';
import type { BulkChange } from './bulk-change';
import { type Failure, type Outcome, PartlyChanged } from './change-by-filter';

interface BulkRun {
  isPending: boolean;
  /** Runs a change, and says how many links it changed. Its failure is for the caller to show. */
  run: (change: Pick<BulkChange, 'action'> | { action: 'edit' }, sending: Sending) => Promise<void>;
  /** Runs a change, and shows why it failed. */
  start: (change: BulkChange, sending: Sending) => void;
}

interface Sending {
  send: () => Promise<Outcome>;
  /** The ids of the links; null if filters select them. */
  ids: readonly string[] | null;
  doneSoFar?: () => number;
}

/** Runs changes of several links, and reads again what they affect. */
export function useBulkRun(
  projectId: string,
  /** Gets the ids that were sent; null if filters selected the links. */
  onDone: (failures: Failure[], sent: readonly string[] | null) => void,
): BulkRun {
  const { t, counted } = useI18n();
  const client = useQueryClient();
  const refresh = async (): Promise<void> => {
    const ofProject = ['links', 'link', 'explain'].map((name) => ['project', projectId, name]);
    for (const queryKey of [...ofProject, ['projects'], ['account']]) await client.invalidateQueries({ queryKey });
  };
  const run: BulkRun['run'] = async ({ action }, { send, ids, doneSoFar }) => {
    try {
      const { done, failures, gone } = await send();
      onDone(failures, ids);
      if (done > 0) notifications.show({ message: counted(`bulk.${action}.done`, done) });
      if (gone > 0) notifications.show({ color: 'yellow', message: counted('bulk.gone', gone) });
    } catch (error) {
      // The number that was confirmed is no longer that of the list.
      const isPartlyChanged = error instanceof PartlyChanged;
      if (isPartlyChanged || (error instanceof ApiError && error.code === 'COUNT_MISMATCH')) onDone([], ids);
      if (isPartlyChanged) throw new Error(counted('bulk.partlyChanged', error.done), { cause: error });
      const done = doneSoFar?.() ?? 0;
      if (done > 0) notifications.show({ color: 'yellow', message: counted(`bulk.${action}.done`, done) });
      throw error;
    } finally {
      await refresh();
    }
  };
  const direct = useMutation({
    mutationFn: ({ change, sending }: { change: BulkChange; sending: Sending }) => run(change, sending),
    onError: (error) => showError(t('bulk.notChanged'), error),
  });
  return { isPending: direct.isPending, run, start: (change, sending) => direct.mutate({ change, sending }) };
}
