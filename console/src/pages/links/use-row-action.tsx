import type { DynamicLinkListItem } from 'signpost-client';
import { type ReactNode, useState } from 'react';
import { Confirm, type Confirmation } from '../../components/confirm';
import { useI18n } from '../../i18n/i18n';
import { changeSelected } from './bulk-change';
import { BulkFailures } from './bulk-failures';
import type { Failure } from './change-by-filter';
import type { RowAction } from './row-menu';
import { useBulkRun } from './use-bulk-run';

/** Changes one link of the list. Asks before a deletion. */
export function useRowAction(
  projectId: string,
  onDone: (linkId: string) => void,
): { dialogs: ReactNode; onAction: (link: DynamicLinkListItem, action: RowAction) => void } {
  const { t } = useI18n();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const [failures, setFailures] = useState<Failure[]>([]);
  const bulk = useBulkRun(projectId, (failed, sent) => {
    setFailures(failed);
    sent?.forEach(onDone);
  });
  const onAction = (link: DynamicLinkListItem, action: RowAction): void => {
    const change = { action };
    const sending = { send: changeSelected(projectId, [link], change), ids: [link.id] };
    if (action !== 'delete') return bulk.start(change, sending);
    setConfirmation({
      title: t('link.deleteTitle', { name: link.name }),
      text: t('links.deleteText'),
      action: t('links.delete'),
      run: () => bulk.run(change, sending),
    });
  };
  const dialogs = (
    <>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <BulkFailures projectId={projectId} failures={failures} onClose={() => setFailures([])} />
    </>
  );
  return { dialogs, onAction };
}
