import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconTrash, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { DynamicLinkWithApps } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Confirm, type Confirmation } from '../../components/confirm';
import { useI18n } from '../../i18n/i18n';

/** Offers what can be done with several links at once. */
export function LinkSelection({
  projectId,
  links,
  onClear,
}: {
  projectId: string;
  links: DynamicLinkWithApps[];
  onClear: () => void;
}) {
  const { t, counted } = useI18n();
  const client = useQueryClient();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);

  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(links.map(({ full_url }) => full_url).join('\n'));
    notifications.show({ message: counted('links.copied', links.length) });
  };
  const remove = (): void =>
    setConfirmation({
      title: counted('links.deleteTitle', links.length),
      text: t('links.deleteText'),
      action: t('links.delete'),
      run: async () => {
        try {
          for (const { id } of links)
            await answerOf(
              api.DELETE('/projects/{projectId}/links/{linkId}', { params: { path: { projectId, linkId: id } } }),
            );
          onClear();
        } finally {
          await client.invalidateQueries({ queryKey: ['project', projectId, 'links'] });
          await client.invalidateQueries({ queryKey: ['projects'] });
        }
      },
    });

  return (
    <>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      {links.length > 0 && (
        <Paper className="card" p="xs" px="md" role="region" aria-label={t('links.selection')}>
          <Group justify="space-between">
            <Text fw={600} size="sm" role="status">
              {counted('links.selected', links.length)}
            </Text>
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                leftSection={<IconCopy size={16} aria-hidden />}
                onClick={() => void copy()}
              >
                {t('links.copyUrls')}
              </Button>
              <Button size="xs" variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
                {t('links.delete')}
              </Button>
              <Button size="xs" variant="subtle" leftSection={<IconX size={16} aria-hidden />} onClick={onClear}>
                {t('links.clearSelection')}
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
    </>
  );
}
