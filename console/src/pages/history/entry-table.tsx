import { Group, Paper, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { JournalEntry, JournalPage } from 'signpost-client';
import { ActionButton } from '../../components/action-button';
import { EmptyState } from '../../components/empty-state';
import { IconHistory } from '../../components/icons';
import { QueryView } from '../../components/query-view';
import { RowTable } from '../../components/row-table';
import { useI18n } from '../../i18n/i18n';
import { Changes } from './changes';
import { typeText } from './type-text';

interface EntryTableProps {
  query: UseInfiniteQueryResult<InfiniteData<JournalPage>>;
  /** Absent if nothing can be undone here. */
  onUndo: ((entry: JournalEntry) => void) | undefined;
  /** The beginning of the keys of the texts for an empty table. */
  empty?: 'history.empty' | 'bin.empty';
}

/** Shows entries of the journal, and loads further ones on request. */
export function EntryTable({ query, onUndo, empty = 'history.empty' }: EntryTableProps) {
  const { t, dateTime } = useI18n();
  return (
    <Paper className="card">
      <QueryView query={query}>
        {({ pages }) => {
          const entries = pages.flatMap(({ data }) => data);
          if (entries.length === 0)
            return <EmptyState icon={IconHistory} title={t(`${empty}Title`)} text={t(`${empty}Text`)} />;
          return (
            <>
              <RowTable
                label={t('nav.history')}
                heads={[t('history.what'), t('history.values'), t('history.who'), t('history.when')]}
                rows={entries.map((entry) => ({
                  key: entry.sequence,
                  cells: [
                    <Subject entry={entry} />,
                    <Changes entry={entry} />,
                    <Actor entry={entry} />,
                    dateTime(entry.at),
                  ],
                  ...(onUndo && { actions: isUndoable(entry.type) && <UndoButton entry={entry} onUndo={onUndo} /> }),
                }))}
              />
              {query.hasNextPage && (
                <Group justify="center" p="md">
                  <ActionButton
                    variant="default"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {t('history.more')}
                  </ActionButton>
                </Group>
              )}
            </>
          );
        }}
      </QueryView>
    </Paper>
  );
}

const undoableKinds = ['link', 'short_link', 'ios_app', 'android_app'];

const isUndoable = (type: string): boolean => {
  const [kind = '', action] = type.split('.');
  return undoableKinds.includes(kind) && (action === 'updated' || action === 'deleted');
};

function Subject({ entry: { resource_name: name, resource_count: count, type } }: { entry: JournalEntry }) {
  const { t, counted } = useI18n();
  return (
    <>
      <Text size="sm" fw={600} className="break">
        {name ?? (count > 1 ? counted('history.resources', count) : '')}
      </Text>
      <Text size="sm">{typeText(t, type)}</Text>
    </>
  );
}

function Actor({ entry: { actor, actor_name: name, requester_name: requester } }: { entry: JournalEntry }) {
  const { t } = useI18n();
  const kind = t(`history.actor.${actor.kind}`);
  return (
    <>
      <Text size="sm" className="break">
        {name ?? kind}
      </Text>
      <Text size="xs" c="dimmed">
        {[name !== null && kind, requester !== null && t('history.requestedBy', { name: requester })]
          .filter(Boolean)
          .join(', ')}
      </Text>
    </>
  );
}

function UndoButton({ entry, onUndo }: { entry: JournalEntry; onUndo: (entry: JournalEntry) => void }) {
  const { t } = useI18n();
  const { type } = entry;
  return (
    <ActionButton
      operation={type.includes('_app.') ? 'updateIosApp' : 'restoreHistoryEntry'}
      size="xs"
      variant="default"
      onClick={() => onUndo(entry)}
    >
      {t(type.endsWith('.deleted') ? 'history.restore' : 'history.undo')}
    </ActionButton>
  );
}
