import { ActionIcon, Button, Fieldset, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPlus, IconTrash } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { maxVariants, shareOf, type VariantRow, withVariant } from './variants';

/** Edits the destinations that visitors are split between. */
export function VariantRows({
  label,
  rows,
  path,
  errors,
  firstUrl,
  onChange,
}: {
  label: ReactNode;
  rows: VariantRow[];
  path: string;
  errors: Record<string, ReactNode>;
  /** The destination of the first variant. */
  firstUrl: string;
  onChange: (rows: VariantRow[]) => void;
}) {
  const { t, percent } = useI18n();
  const shareText = (share: number | null): string => {
    if (share === null) return '';
    return share === 0 ? t('link.variantEnded') : percent(share);
  };
  /** Returns the properties of an input. Its path lets the form find it. */
  const inputOf = <Name extends keyof VariantRow>(at: number, name: Name) => ({
    value: rows[at]![name],
    error: errors[`${path}.${at}.${name}`],
    'data-path': `${path}.${at}.${name}`,
  });
  const set = (at: number, row: Partial<VariantRow>): void =>
    onChange(rows.map((one, place) => (place === at ? { ...one, ...row } : one)));
  return (
    <Fieldset legend={label} variant="unstyled">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('link.variantsHint')}
        </Text>
        {rows.map((row, at) => (
          <Group key={at} gap="xs" align="flex-start">
            <TextInput
              {...inputOf(at, 'name')}
              onChange={(event) => set(at, { name: event.currentTarget.value })}
              aria-label={t('link.variantName', { number: at + 1 })}
              w={130}
            />
            <TextInput
              {...inputOf(at, 'url')}
              onChange={(event) => set(at, { url: event.currentTarget.value })}
              type="url"
              inputMode="url"
              placeholder="https://example.com/page"
              aria-label={t('link.variantUrl', { number: at + 1 })}
              flex={1}
              miw={180}
            />
            <NumberInput
              {...inputOf(at, 'weight')}
              onChange={(weight) => set(at, { weight })}
              aria-label={t('link.variantWeight', { number: at + 1 })}
              min={0}
              max={100}
              allowDecimal={false}
              w={80}
            />
            <Text size="sm" c="dimmed" w={80} py={8}>
              {shareText(shareOf(row, rows))}
            </Text>
            <ActionIcon
              variant="subtle"
              size={36}
              onClick={() => onChange(rows.filter((_, place) => place !== at))}
              aria-label={t('link.removeVariant', { number: at + 1 })}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {errors[path] && (
          <Text size="sm" c="error">
            {errors[path]}
          </Text>
        )}
        {rows.length < maxVariants && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => onChange(withVariant(rows, firstUrl))}
            >
              {t('link.addVariant')}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
