import { Anchor, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { JournalEntry, JournalPage } from 'signpost-client';
import { useI18n } from '../../i18n/i18n';
import { EntryTable } from './entry-table';
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
      <EntryTable query={query} onUndo={onUndo} />
    </Stack>
  );
}
