import { Group, Paper, Table, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { JournalEntry, JournalPage } from 'signpost-client';
import { ActionButton } from '../../components/action-button';
import { EmptyState } from '../../components/empty-state';
import { IconHistory } from '../../components/icons';
import { QueryView } from '../../components/query-view';
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
  const { t } = useI18n();
  return (
    <Paper className="card">
      <QueryView query={query}>
        {({ pages }) => {
          const entries = pages.flatMap(({ data }) => data);
          if (entries.length === 0)
            return <EmptyState icon={IconHistory} title={t(`${empty}Title`)} text={t(`${empty}Text`)} />;
          return (
            <>
              <div className="scroll-x" role="region" aria-label={t('nav.history')} tabIndex={0}>
                <Table verticalSpacing="sm" horizontalSpacing="md" className="stacked">
                  <Table.Thead>
                    <Table.Tr>
                      {(['history.when', 'history.who', 'history.what', 'history.values'] as const).map((head) => (
                        <Table.Th key={head}>{t(head)}</Table.Th>
                      ))}
                      <Table.Th>
                        <span className="visually-hidden">{t('table.actions')}</span>
                      </Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {entries.map((entry) => (
                      <EntryRow key={entry.sequence} entry={entry} onUndo={onUndo} />
                    ))}
                  </Table.Tbody>
                </Table>
              </div>
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

function EntryRow({ entry, onUndo }: { entry: JournalEntry; onUndo: ((entry: JournalEntry) => void) | undefined }) {
  const { t, dateTime, counted } = useI18n();
  const { at, actor, actor_name: name, requester_name: requester, type, resource_count: count } = entry;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{dateTime(at)}</Table.Td>
      <Table.Td>
        <Text size="sm">{name ?? t(`history.actor.${actor.kind}`)}</Text>
        {name !== null && (
          <Text size="xs" c="dimmed">
            {t(`history.actor.${actor.kind}`)}
          </Text>
        )}
        {requester !== null && (
          <Text size="xs" c="dimmed">
            {t('history.requestedBy', { name: requester })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={600}>
          {entry.resource_name ?? (count > 1 ? counted('history.resources', count) : '')}
        </Text>
        <Text size="sm">{typeText(t, type)}</Text>
      </Table.Td>
      <Table.Td>
        <Changes entry={entry} />
      </Table.Td>
      <Table.Td>
        {onUndo && isUndoable(type) && (
          <ActionButton
            operation={type.includes('_app.') ? 'updateIosApp' : 'restoreHistoryEntry'}
            size="xs"
            variant="default"
            onClick={() => onUndo(entry)}
          >
            {t(type.endsWith('.deleted') ? 'history.restore' : 'history.undo')}
          </ActionButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
