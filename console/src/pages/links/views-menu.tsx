import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconBookmark, IconTrash } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import type { LinksSearch } from './links-search';
import { keepViews, maxNameLength, maxViews, savedViews, withView } from './saved-views';

/** Keeps filters and order of the list by name, in this browser. */
export function ViewsMenu({
  projectId,
  state,
  onChoose,
}: {
  projectId: string;
  state: LinksSearch;
  onChoose: (search: LinksSearch) => void;
}) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  const [views, setViews] = useState(() => savedViews(projectId));
  const [name, setName] = useState('');
  const keep = (next: typeof views): void => {
    keepViews(projectId, next);
    setViews(next);
  };
  const save = (): void => {
    keep(withView(views, name.trim(), state));
    setName('');
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconBookmark size={18} aria-hidden />} onClick={() => setOpen(!isOpen)}>
          {t('views.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views.open')}>
        <Stack gap="xs">
          {views.length === 0 && <Text size="sm">{t('views.none')}</Text>}
          {views.map((view) => (
            <Group key={view.name} gap={4} wrap="nowrap">
              <Button
                variant="subtle"
                justify="flex-start"
                flex={1}
                onClick={() => {
                  onChoose(view.search);
                  setOpen(false);
                }}
              >
                {view.name}
              </Button>
              <ActionIcon
                variant="subtle"
                aria-label={t('views.remove', { name: view.name })}
                onClick={() => keep(views.filter((other) => other !== view))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() !== '') save();
            }}
          >
            <Group gap="xs" align="flex-end" wrap="nowrap">
              <TextInput
                label={t('views.name')}
                value={name}
                maxLength={maxNameLength}
                onChange={(event) => setName(event.currentTarget.value)}
                flex={1}
                disabled={views.length >= maxViews}
              />
              <Button type="submit" disabled={name.trim() === ''}>
                {t('form.save')}
              </Button>
            </Group>
          </form>
          <Text size="xs" c="dimmed">
            {t('views.hint')}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
