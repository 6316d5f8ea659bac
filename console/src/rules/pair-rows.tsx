import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPlus, IconTrash } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import type { Pair } from './rule-drafts';

/** Edits parameters of a rule. */
export function PairRows({
  label,
  rows,
  path,
  errors,
  onChange,
  withAnyValue = false,
}: {
  label: string;
  rows: Pair[];
  path: string;
  errors: Record<string, ReactNode>;
  onChange: (rows: Pair[]) => void;
  /** Offers a parameter without a certain value. */
  withAnyValue?: boolean;
}) {
  const { t } = useI18n();
  const set = (at: number, row: Partial<Pair>): void =>
    onChange(rows.map((one, place) => (place === at ? { ...one, ...row } : one)));
  return (
    <Fieldset legend={label} variant="unstyled">
      <Stack gap="xs">
        {rows.map(({ key, value }, at) => (
          <Group key={at} gap="xs" align="flex-start">
            <TextInput
              aria-label={t('link.parameterName', { number: at + 1 })}
              placeholder="utm_source"
              value={key}
              error={errors[`${path}.${key}`]}
              onChange={(event) => set(at, { key: event.currentTarget.value })}
              flex="1 1 120px"
            />
            {withAnyValue && (
              <Select
                aria-label={t('rules.parameterTest', { number: at + 1 })}
                data={(['present', 'equals'] as const).map((one) => ({ value: one, label: t(`rules.query.${one}`) }))}
                value={value === null ? 'present' : 'equals'}
                onChange={(chosen) => set(at, { value: chosen === 'present' ? null : '' })}
                allowDeselect={false}
                flex="1 1 120px"
              />
            )}
            {value !== null && (
              <TextInput
                aria-label={t('link.parameterValue', { number: at + 1 })}
                value={value}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
                flex="1 1 120px"
              />
            )}
            <ActionIcon
              variant="subtle"
              size={36}
              onClick={() => onChange(rows.filter((_, place) => place !== at))}
              aria-label={t('link.removeParameter', { number: at + 1 })}
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
        <Group>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...rows, { key: '', value: withAnyValue ? null : '' }])}
          >
            {t('link.addParameter')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
