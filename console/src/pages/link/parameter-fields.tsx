import { ActionIcon, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { IconPlus, IconTrash } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import type { LinkFormState } from './link-values';
import { utmNames } from './utm-parameters';

/** The parameters that are added to the destination, for attribution. */
export function ParameterFields({ form }: { form: LinkFormState }) {
  const { t } = useI18n();
  const rows = form.values.referrer_params;
  const [added, setAdded] = useState<number | null>(null);
  const next = utmNames.find((name) => !rows.some(({ key }) => key === name)) ?? '';
  return (
    <Stack gap="xs">
      <Title order={3}>{t('link.parameters')}</Title>
      <Text size="sm" c="dimmed">
        {t('link.parametersHint')}
      </Text>
      {rows.map(({ key }, at) => (
        <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            {...form.getInputProps(`referrer_params.${at}.key`)}
            aria-label={t('link.parameterName', { number: at + 1 })}
            autoFocus={at === added}
            flex={1}
          />
          <TextInput
            {...form.getInputProps(`referrer_params.${at}.value`)}
            // The service names a parameter by its key.
            error={form.errors[`referrer_params.${key}`]}
            aria-label={t('link.parameterValue', { number: at + 1 })}
            flex={1}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            onClick={() => form.removeListItem('referrer_params', at)}
            aria-label={t('link.removeParameter', { number: at + 1 })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {form.errors['referrer_params'] && (
        <Text size="sm" c="error">
          {form.errors['referrer_params']}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            setAdded(rows.length);
            form.insertListItem('referrer_params', { key: next, value: '' });
          }}
        >
          {t('link.addParameter')}
        </Button>
      </Group>
    </Stack>
  );
}
