import { ActionIcon, Button, Group, Modal, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Tag } from 'signpost-client';
import { useState } from 'react';
import { useRefusals } from '../../session/use-refusal';
import { answerOf, api } from '../../api/client';
import { tagsQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { closing, dialogMutation } from '../../components/closing';
import { Confirm, type Confirmation } from '../../components/confirm';
import { FormError } from '../../components/form-error';
import { IconArrowMerge, IconPencil, IconTags, IconTrash } from '../../components/icons';
import { PendingFields } from '../../components/pending-fields';
import { QueryView } from '../../components/query-view';
import { useTagSuggestions } from '../../components/use-tag-suggestions';
import { useI18n } from '../../i18n/i18n';

/** Names the mutation for the dialog around the tags. */
const mutationKey = ['renamed-tag'];

/** Opens a dialog that renames, merges and deletes the tags of a project. */
export function TagManager({
  projectId,
  onRenamed,
}: {
  projectId: string;
  /** Runs after a tag got another name; undefined if it was deleted. */
  onRenamed: (before: string, after: string | undefined) => void;
}) {
  const { t } = useI18n();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const isRenaming = useIsMutating({ mutationKey }) > 0;
  return (
    <>
      <Button variant="default" leftSection={<IconTags size={18} aria-hidden />} onClick={open}>
        {t('tags.manage')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('tags.manage')}
        size="lg"
        {...closing(isRenaming)}
        closeOnEscape={!isRenaming && confirmation === null}
      >
        <TagTable projectId={projectId} onConfirmation={setConfirmation} onRenamed={onRenamed} />
      </Modal>
      {/* After the other dialog, because dialogs handle Escape in the order of mounting. */}
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  );
}

interface Listeners {
  onConfirmation: (confirmation: Confirmation) => void;
  onRenamed: (before: string, after: string | undefined) => void;
}

function TagTable({ projectId, ...listeners }: Listeners & { projectId: string }) {
  const { t } = useI18n();
  const firstTags = useQuery(tagsQuery(projectId));
  const { tags, hasMore, field } = useTagSuggestions(projectId);
  return (
    <QueryView query={firstTags} height={200}>
      {({ data }) =>
        data.length === 0 ? (
          <Text c="dimmed">{t('tags.empty')}</Text>
        ) : (
          <Stack>
            <Text c="dimmed" size="sm">
              {t('tags.lead')}
            </Text>
            {hasMore && (
              <TextInput
                aria-label={t('tags.search')}
                placeholder={t('tags.search')}
                type="search"
                value={field.searchValue}
                onChange={(event) => field.onSearchChange(event.currentTarget.value)}
                maxLength={50}
              />
            )}
            <Table verticalSpacing="xs">
              <Table.Tbody>
                {tags.map((tag) => (
                  <TagRow key={tag.id} projectId={projectId} tag={tag} isAlone={data.length === 1} {...listeners} />
                ))}
              </Table.Tbody>
            </Table>
          </Stack>
        )
      }
    </QueryView>
  );
}

function TagRow({
  projectId,
  tag,
  isAlone,
  onConfirmation,
  onRenamed,
}: Listeners & {
  projectId: string;
  tag: Tag;
  isAlone: boolean;
}) {
  const { t, counted } = useI18n();
  const client = useQueryClient();
  const [mode, setMode] = useState<'rename' | 'merge' | null>(null);
  const [name, setName] = useState(tag.name);
  const path = { projectId, tagId: tag.id };
  /** Leads the list to the new name, before what has the old one is read again. */
  const follow = async (after: string | undefined): Promise<void> => {
    onRenamed(tag.name, after);
    for (const kind of ['links', 'link', 'analytics'])
      await client.invalidateQueries({ queryKey: ['project', projectId, kind] });
  };
  const change = useMutation({
    mutationKey,
    ...dialogMutation,
    mutationFn: () => answerOf(api.PUT('/projects/{projectId}/tags/{tagId}', { params: { path }, body: { name } })),
    onSuccess: async ({ data }) => {
      setMode(null);
      await follow(data.name);
    },
  });
  const rename = () => change.mutate();
  // A merge cannot be undone, because the links no longer say which tag they had.
  const merge = ({ id: into, name: nameInto }: Tag): void =>
    onConfirmation({
      title: t('tags.mergeTitle', { name: tag.name, into: nameInto }),
      text: t('tags.mergeText', { name: tag.name }),
      action: t('tags.mergeAction'),
      run: async () => {
        await answerOf(api.POST('/projects/{projectId}/tags/{tagId}/merge', { params: { path }, body: { into } }));
        await follow(nameInto);
      },
    });
  const remove = (): void =>
    onConfirmation({
      title: t('tags.deleteTitle', { name: tag.name }),
      text: t('tags.deleteText'),
      action: t('tags.deleteAction'),
      run: async () => {
        await answerOf(api.DELETE('/projects/{projectId}/tags/{tagId}', { params: { path } }));
        await follow(undefined);
      },
    });
  const refusals = useRefusals();
  const actions = [
    ['rename', IconPencil, () => setMode(mode === 'rename' ? null : 'rename')],
    ['merge', IconArrowMerge, () => setMode(mode === 'merge' ? null : 'merge')],
    ['delete', IconTrash, remove],
  ] as const;
  return (
    <Table.Tr>
      <Table.Td>
        <FormError error={change.error} fields={[]} />
        {mode === 'rename' ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              rename();
            }}
          >
            <Group gap="xs" wrap="nowrap">
              <PendingFields isPending={change.isPending}>
                <TextInput
                  aria-label={t('tags.name', { name: tag.name })}
                  value={name}
                  onChange={(event) => setName(event.currentTarget.value)}
                  maxLength={50}
                  autoFocus
                />
              </PendingFields>
              <ActionButton type="submit" size="xs" loading={change.isPending}>
                {t('tags.save')}
              </ActionButton>
            </Group>
          </form>
        ) : (
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {tag.name}
          </Text>
        )}
        {mode === 'merge' && <MergeField projectId={projectId} tag={tag} onChoose={merge} />}
      </Table.Td>
      <Table.Td>{counted('tags.links', tag._count.dynamic_links)}</Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {actions
            .filter(([action]) => refusals('updateTag') === null && (action !== 'merge' || !isAlone))
            .map(([action, Icon, run]) => (
              <ActionIcon
                key={action}
                variant="subtle"
                aria-label={t(`tags.${action}`, { name: tag.name })}
                onClick={run}
              >
                <Icon size={16} aria-hidden />
              </ActionIcon>
            ))}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Chooses the tag that replaces another one. */
function MergeField({ projectId, tag, onChoose }: { projectId: string; tag: Tag; onChoose: (into: Tag) => void }) {
  const { t } = useI18n();
  const { tags, field } = useTagSuggestions(projectId);
  const others = tags.filter(({ id }) => id !== tag.id);
  return (
    <Select
      aria-label={t('tags.into', { name: tag.name })}
      placeholder={t('tags.into', { name: tag.name })}
      data={others.map(({ id, name }) => ({ value: id, label: name }))}
      // A choice asks only, so that the same one can be made again after the question is refused.
      value={null}
      onChange={(into) => {
        const chosen = others.find(({ id }) => id === into);
        if (chosen) onChoose(chosen);
      }}
      searchable
      {...field}
      autoFocus
      openOnFocus={false}
    />
  );
}
