import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useI18n } from '../../i18n/i18n';
import type { MessageKey } from '../../i18n/text';
import type { LinkValues } from './link-values';

const labels: Record<keyof LinkValues, MessageKey> = {
  name: 'link.name',
  custom_path: 'link.path',
  desktop_url: 'link.web',
  ios_app_id: 'link.iosApp',
  android_app_id: 'link.androidApp',
  ios_fallback_url: 'link.iosFallback',
  android_fallback_url: 'link.androidFallback',
  ios_deferred_deep_link: 'link.deferred',
  social_title: 'link.socialTitle',
  social_description: 'link.socialDescription',
  social_image_url: 'link.socialImage',
  referrer_params: 'link.parameters',
};

/** Says what somebody else changed since the form was loaded, and lets the user decide. */
export function LinkConflict({
  fields,
  onOverwrite,
  onTakeTheirs,
}: {
  fields: (keyof LinkValues)[];
  onOverwrite: () => void;
  onTakeTheirs: () => void;
}) {
  const { t } = useI18n();
  return (
    <Alert color="yellow" title={t('conflict.title')} role="alert">
      <Stack gap="sm">
        <Text>{t('conflict.text')}</Text>
        <List size="sm">
          {fields.map((field) => (
            <List.Item key={field}>{t(labels[field])}</List.Item>
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
