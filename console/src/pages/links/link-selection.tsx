import { Anchor, Group, Menu, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DynamicLinkListItem } from 'signpost-client';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { Confirm, type Confirmation } from '../../components/confirm';
import { IconAdjustments, IconCopy, IconPencil, IconTags, IconTrash, IconX } from '../../components/icons';
import { useAbortOnUnmount } from '../../components/use-abort-on-unmount';
import { useI18n } from '../../i18n/i18n';
import { QrCodesButton } from '../../qr/qr-codes-button';
import { type BulkChange, changeMatching, changePlanned, changeSelected, type LinkFilters } from './bulk-change';
import { BulkEditDialog } from './bulk-edit-dialog';
import { BulkFailures } from './bulk-failures';
import { BulkTags } from './bulk-tags';
import type { Failure } from './change-by-filter';
import { useBulkRun } from './use-bulk-run';

const stateActions = ['archive', 'unarchive', 'disable', 'enable'] as const;

/** Offers what can be done with several links at once: those of the page that are selected, or all that the filters find. */
export function LinkSelection({
  projectId,
  links,
  isWholePage,
  filter,
  total,
  allCount,
  onSelectAll,
  onSelect,
  onDeselect,
}: {
  projectId: string;
  links: DynamicLinkListItem[];
  isWholePage: boolean;
  filter: LinkFilters;
  /** Links that the filters find now; null if they are too many to be counted. */
  total: number | null;
  /** Links that the filters found when all were selected; null if links of the page are selected. */
  allCount: number | null;
  onSelectAll: () => void;
  onSelect: (ids: string[]) => void;
  /** Keeps the rest of the selection, which may be newer than the change that has ended. */
  onDeselect: (ids: string[]) => void;
}) {
  const { t, counted, number } = useI18n();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const [tagAction, setTagAction] = useState<'add_tags' | 'remove_tags' | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [failures, setFailures] = useState<Failure[]>([]);
  const bulk = useBulkRun(projectId, (failed, sent) => {
    setFailures(failed);
    const failedIds = new Set(failed.map(({ id }) => id));
    if (sent === null) onSelect([...failedIds]);
    else onDeselect(sent.filter((id) => !failedIds.has(id)));
  });
  const abortOnUnmount = useAbortOnUnmount();
  const count = allCount ?? links.length;

  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(links.map(({ full_url }) => full_url).join('\n'));
    notifications.show({ message: counted('links.copied', links.length) });
  };
  const confirm = (change: BulkChange, text: string, run: () => Promise<unknown>): void =>
    setConfirmation({
      title: counted(`bulk.${change.action}.title`, count),
      text,
      action: t(`bulk.${change.action}`),
      ...(change.action === 'delete' && allCount !== null && { typed: String(count) }),
      run,
    });
  const start = (change: BulkChange): void => {
    setTagAction(null);
    const isDeletion = change.action === 'delete';
    if (allCount !== null) {
      const matching = changeMatching(projectId, filter, change, allCount, abortOnUnmount());
      const text = isDeletion ? t('links.deleteText') : t('bulk.allText');
      confirm(change, text, () => bulk.run(change, { send: matching.run, ids: null, doneSoFar: matching.done }));
      return;
    }
    const sending = { send: changeSelected(projectId, links, change), ids: links.map(({ id }) => id) };
    if (isDeletion) confirm(change, t('links.deleteText'), () => bulk.run(change, sending));
    else bulk.start(change, sending);
  };
  const button = { size: 'xs', variant: 'default', disabled: bulk.isPending } as const;
  const changes = {
    ...button,
    operation: allCount === null ? 'changeDynamicLinks' : 'changeMatchingDynamicLinks',
  } as const;

  return (
    <>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <BulkTags
        projectId={projectId}
        action={tagAction}
        count={count}
        offered={allCount === null ? [...new Set(links.flatMap(({ tags }) => tags))] : null}
        onChoose={(tags) => start({ action: tagAction!, tags })}
        onClose={() => setTagAction(null)}
      />
      <BulkEditDialog
        projectId={projectId}
        opened={isEditing && count > 0}
        links={allCount === null ? links : null}
        filter={filter}
        count={count}
        onClose={() => setEditing(false)}
        onRun={(plan) => {
          const { run, done } = changePlanned(projectId, plan, abortOnUnmount());
          return bulk.run({ action: 'edit' }, { send: run, ids: null, doneSoFar: done });
        }}
      />
      <BulkFailures projectId={projectId} failures={failures} onClose={() => setFailures([])} />
      {count > 0 && (
        <Paper className="card" p="xs" px="md" role="region" aria-label={t('links.selection')}>
          <Group justify="space-between">
            <Group gap="xs">
              <Text fw={600} size="sm" role="status">
                {allCount === null ? counted('links.selected', count) : counted('bulk.allSelected', count)}
              </Text>
              {allCount === null && isWholePage && total === null && (
                <Text size="sm" c="dimmed">
                  {t('bulk.tooManyMatching')}
                </Text>
              )}
              {allCount === null && isWholePage && total !== null && total > links.length && (
                <Anchor component="button" type="button" size="sm" disabled={bulk.isPending} onClick={onSelectAll}>
                  {t('bulk.selectMatching', { total: number(total) })}
                </Anchor>
              )}
            </Group>
            <Group gap="xs">
              {allCount === null && (
                <ActionButton {...button} leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
                  {t('links.copyUrls')}
                </ActionButton>
              )}
              {allCount === null && <QrCodesButton links={links} fileName="qr-codes" size="xs" />}
              <ActionButton
                {...changes}
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => setEditing(true)}
              >
                {t('bulk.edit')}
              </ActionButton>
              <Menu>
                <Menu.Target>
                  <ActionButton {...changes} leftSection={<IconTags size={16} aria-hidden />}>
                    {t('bulk.tags')}
                  </ActionButton>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setTagAction('add_tags')}>{t('bulk.add_tags')}</Menu.Item>
                  <Menu.Item
                    disabled={allCount === null && links.every(({ tags }) => tags.length === 0)}
                    onClick={() => setTagAction('remove_tags')}
                  >
                    {t('bulk.remove_tags')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
              <Menu>
                <Menu.Target>
                  <ActionButton {...changes} leftSection={<IconAdjustments size={16} aria-hidden />}>
                    {t('bulk.state')}
                  </ActionButton>
                </Menu.Target>
                <Menu.Dropdown>
                  {stateActions.map((action) => (
                    <Menu.Item key={action} onClick={() => start({ action })}>
                      {t(`bulk.${action}`)}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
              <ActionButton
                {...changes}
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => start({ action: 'delete' })}
              >
                {t('bulk.delete')}
              </ActionButton>
              <ActionButton
                {...button}
                variant="subtle"
                leftSection={<IconX size={16} aria-hidden />}
                onClick={() => onSelect([])}
              >
                {t('links.clearSelection')}
              </ActionButton>
            </Group>
          </Group>
        </Paper>
      )}
    </>
  );
}
