import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import type { LinkFormState } from './link-values';

const maxVariants = 5;

/** The destinations that visitors are split between. */
export function VariantFields({ form }: { form: LinkFormState }) {
  const { t, percent } = useI18n();
  const rows = form.values.variants;
  const total = rows.reduce((sum, { weight }) => sum + Number(weight), 0);
  const add = (): void => {
    // The first variant is the destination that the link has.
    const missing = rows.length === 0 ? [form.values.desktop_url, ''] : [''];
    for (const [at, url] of missing.entries())
      form.insertListItem('variants', { name: String.fromCharCode(65 + rows.length + at), url, weight: 50 });
  };
  return (
    <Stack gap="xs">
      <Title order={3}>{t('link.variants')}</Title>
      <Text size="sm" c="dimmed">
        {t('link.variantsHint')}
      </Text>
      {rows.map(({ weight }, at) => (
        <Group key={at} gap="xs" align="flex-start">
          <TextInput
            {...form.getInputProps(`variants.${at}.name`)}
            aria-label={t('link.variantName', { number: at + 1 })}
            w={130}
          />
          <TextInput
            {...form.getInputProps(`variants.${at}.url`)}
            type="url"
            inputMode="url"
            placeholder="https://example.com/page"
            aria-label={t('link.variantUrl', { number: at + 1 })}
            flex={1}
            miw={180}
          />
          <NumberInput
            {...form.getInputProps(`variants.${at}.weight`)}
            aria-label={t('link.variantWeight', { number: at + 1 })}
            min={0}
            max={100}
            allowDecimal={false}
            w={80}
          />
          <Text size="sm" c="dimmed" w={80} py={8}>
            {Number(weight) === 0 ? t('link.variantEnded') : percent(Number(weight) / total)}
          </Text>
          <ActionIcon
            variant="subtle"
            size={36}
            onClick={() => form.removeListItem('variants', at)}
            aria-label={t('link.removeVariant', { number: at + 1 })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {form.errors['variants'] && (
        <Text size="sm" c="error">
          {form.errors['variants']}
        </Text>
      )}
      {rows.length < maxVariants && (
        <Group>
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {t('link.addVariant')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
