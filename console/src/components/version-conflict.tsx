import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useI18n } from '../i18n/i18n';

/** Says what somebody else changed since a form was loaded, and lets the user decide. */
export function VersionConflict({
  fields,
  onOverwrite,
  onTakeTheirs,
}: {
  /** Labels of the changed fields. */
  fields: string[];
  onOverwrite: () => void;
  onTakeTheirs: () => void;
}) {
  const { t } = useI18n();
  return (
    <Alert color="yellow" title={t('conflict.title')} role="alert">
      <Stack gap="sm">
        <Text>{t('conflict.text')}</Text>
        <List size="sm">
          {fields.map((label) => (
            <List.Item key={label}>{label}</List.Item>
          ))}
        </List>
        <Group>
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            {t('conflict.takeTheirs')}
          </Button>
          <Button size="xs" onClick={onOverwrite}>
            {t('conflict.overwrite')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
