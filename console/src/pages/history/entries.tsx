import { Anchor, Button, Checkbox, Group, NativeSelect, Paper, Stack, Table, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { JournalEntry, JournalPage } from 'signpost-client';
import { ActionButton } from '../../components/action-button';
import { EmptyState } from '../../components/empty-state';
import { IconHistory } from '../../components/icons';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { isMessageKey } from '../../i18n/text';
import { Changes } from './changes';
import { type HistorySearch, type JournalKind } from './history-search';

/** Shows entries of the journal with their filters, and loads further ones on request. */
export function Entries({
  query,
  kinds,
  state,
  onState,
  onUndo,
}: {
  query: UseInfiniteQueryResult<InfiniteData<JournalPage>>;
  kinds: readonly JournalKind[];
  state: HistorySearch;
  onState: (next: HistorySearch) => void;
  /** Absent if nothing can be undone here. */
  onUndo?: (entry: JournalEntry) => void;
}) {
  const { t } = useI18n();
  const { kind, deleted = false, resource } = state;
  const ofResource = resource === undefined ? {} : { resource };
  return (
    <Stack>
      <Group align="flex-end">
        <NativeSelect
          label={t('history.kind')}
          value={kind ?? ''}
          onChange={({ currentTarget }) => {
            const next = kinds.find((one) => one === currentTarget.value);
            onState({ ...ofResource, ...(next && { kind: next }) });
          }}
          data={[
            { value: '', label: t('history.allKinds') },
            ...kinds.map((one) => ({ value: one, label: t(`history.kind.${one}`) })),
          ]}
        />
        <Checkbox
          mb={8}
          label={t('history.onlyDeleted')}
          disabled={kind === undefined}
          checked={deleted}
          onChange={({ currentTarget }) => onState({ ...state, deleted: currentTarget.checked || undefined })}
        />
        {resource !== undefined && (
          <Anchor component="button" mb={8} onClick={() => onState({ ...(kind && { kind }) })}>
            {t('history.allResources')}
          </Anchor>
        )}
      </Group>
      <Paper className="card">
        <QueryView query={query}>
          {({ pages }) => {
            const entries = pages.flatMap(({ data }) => data);
            if (entries.length === 0)
              return <EmptyState icon={IconHistory} title={t('history.emptyTitle')} text={t('history.emptyText')} />;
            return (
              <>
                <div className="scroll-x" role="region" aria-label={t('nav.history')} tabIndex={0}>
                  <Table verticalSpacing="sm" horizontalSpacing="md" miw={720}>
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
    </Stack>
  );
}

const undoableKinds = ['link', 'short_link', 'ios_app', 'android_app'];

const isUndoable = (type: string): boolean => {
  const [kind = '', action] = type.split('.');
  return undoableKinds.includes(kind) && action !== 'created';
};

function EntryRow({ entry, onUndo }: { entry: JournalEntry; onUndo: ((entry: JournalEntry) => void) | undefined }) {
  const { t, dateTime, counted } = useI18n();
  const { at, actor, actor_name: name, type, resource_count: count } = entry;
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
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={600}>
          {entry.resource_name ?? (count > 1 ? counted('history.resources', count) : '')}
        </Text>
        <Text size="sm">{useTypeText(type)}</Text>
      </Table.Td>
      <Table.Td>
        <Changes entry={entry} />
      </Table.Td>
      <Table.Td>
        {onUndo && isUndoable(type) && (
          <Button size="xs" variant="default" onClick={() => onUndo(entry)}>
            {t(type.endsWith('.deleted') ? 'history.restore' : 'history.undo')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Returns the text of a type. A newer service may have types that this console does not know. */
function useTypeText(type: string): string {
  const { t } = useI18n();
  const event = `history.event.${type}`;
  if (isMessageKey(event)) return t(event);
  const [kind, action] = type.split('.');
  const [ofKind, ofAction] = [`history.kind.${kind}`, `history.action.${action}`];
  return isMessageKey(ofKind) && isMessageKey(ofAction) ? `${t(ofKind)}: ${t(ofAction)}` : type;
}
