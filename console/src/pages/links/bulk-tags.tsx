import { Button, Group, Modal, MultiSelect, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useTagSuggestions } from '../../components/use-tag-suggestions';
import { useI18n } from '../../i18n/i18n';

/** Asks for the tags that several links get or lose. */
export function BulkTags({
  projectId,
  action,
  count,
  offered,
  onChoose,
  onClose,
}: {
  projectId: string;
  action: 'add_tags' | 'remove_tags' | null;
  count: number;
  /** Tags of the selected links, to remove some of them; null if not all of those links are known. */
  offered: string[] | null;
  onChoose: (tags: string[]) => void;
  onClose: () => void;
}) {
  const { counted } = useI18n();
  return (
    <Modal
      opened={action !== null}
      onClose={onClose}
      title={action === null ? '' : counted(`bulk.${action}.title`, count)}
      centered
    >
      {action !== null && (
        <TagForm projectId={projectId} action={action} offered={offered} onChoose={onChoose} onClose={onClose} />
      )}
    </Modal>
  );
}

function TagForm({
  projectId,
  action,
  offered,
  onChoose,
  onClose,
}: {
  projectId: string;
  action: 'add_tags' | 'remove_tags';
  offered: string[] | null;
  onChoose: (tags: string[]) => void;
  onClose: () => void;
}) {
  const { t } = useI18n();
  const [chosen, setChosen] = useState<string[]>([]);
  const { tags, field: tagSearch } = useTagSuggestions(projectId);
  const [isOpen, setOpen] = useState(false);
  const field = {
    label: t('bulk.tags'),
    value: chosen,
    onChange: setChosen,
    'data-autofocus': true,
    // The list itself scrolls, because a region around it would need the focus to be scrolled by keyboard.
    withScrollArea: false,
    styles: { options: { maxHeight: 200, overflowY: 'auto' } },
    // Suggestions must not cover the buttons below, nor appear before somebody types.
    comboboxProps: { position: 'top' },
    openOnFocus: false,
  } as const;
  // A text field takes any tag, because a project can have more tags than the suggestions show.
  const isText = action === 'add_tags' || offered === null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(chosen);
      }}
    >
      <Stack>
        {isText ? (
          <TagsInput
            {...field}
            searchValue={tagSearch.searchValue}
            // The field opens its suggestions by a click or an arrow key only.
            onSearchChange={(typed) => {
              tagSearch.onSearchChange(typed);
              setOpen(typed !== '');
            }}
            dropdownOpened={isOpen}
            onDropdownOpen={() => setOpen(true)}
            onDropdownClose={() => setOpen(false)}
            data={tags.map(({ name }) => name)}
            maxTags={20}
            acceptValueOnBlur
            description={action === 'add_tags' ? t('bulk.tagsHint') : undefined}
          />
        ) : (
          <MultiSelect {...field} data={offered} searchable />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('confirm.cancel')}
          </Button>
          <Button type="submit" disabled={chosen.length === 0}>
            {t(`bulk.${action}`)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
