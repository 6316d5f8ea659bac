import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useI18n } from '../../i18n/i18n';
import { useBytes } from '../../components/use-bytes';

/** Shows how much of a file is sent. */
export function UploadProgress({ file, sent, onCancel }: { file: File; sent: number; onCancel: () => void }) {
  const { t } = useI18n();
  const bytes = useBytes();
  const isSent = sent >= file.size;
  return (
    <Paper className="card" p="lg">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {t('imports.upload.progress', { name: file.name })}
          </Text>
          <Button variant="default" size="xs" onClick={onCancel}>
            {t('imports.upload.cancel')}
          </Button>
        </Group>
        <Progress.Root size="lg">
          <Progress.Section
            value={Math.min(100, (sent / file.size) * 100)}
            aria-label={t('imports.upload.progress', { name: file.name })}
            animated={isSent}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed">
          {t('imports.upload.sent', { sent: bytes(Math.min(sent, file.size)), size: bytes(file.size) })}
        </Text>
        <Text size="sm" role="status">
          {isSent ? t('imports.upload.reading') : ''}
        </Text>
      </Stack>
    </Paper>
  );
}
