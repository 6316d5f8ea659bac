import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { historyQuery } from '../../api/journal-queries';
import { PageHead } from '../../components/page-head';
import { useI18n } from '../../i18n/i18n';
import { EntryTable } from './entry-table';
import { useUndo } from './use-undo';

/** Shows what was deleted and can be restored. */
export function BinPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/bin' });
  const deletions = useInfiniteQuery(historyQuery(projectId, { restorable: true }));
  const undo = useUndo(projectId);
  return (
    <Stack gap="lg">
      {undo.dialog}
      <PageHead title={t('nav.bin')} lead={t('bin.lead')} />
      <EntryTable query={deletions} onUndo={undo.ask} empty="bin.empty" />
    </Stack>
  );
}
