import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconPlus, IconTrash } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import type { Pair } from './rule-drafts';

/** Edits parameters of a link, a template or a rule. */
export function PairRows({
  label,
  hint,
  rows,
  path,
  errors,
  onChange,
  proposals = [],
  withAnyValue = false,
}: {
  label: ReactNode;
  hint?: string;
  rows: Pair[];
  path: string;
  errors: Record<string, ReactNode>;
  onChange: (rows: Pair[]) => void;
  /** Names for new rows: the first one that no row has. */
  proposals?: readonly string[];
  /** Offers a parameter without a certain value. */
  withAnyValue?: boolean;
}) {
  const { t } = useI18n();
  const [added, setAdded] = useState<number | null>(null);
  const set = (at: number, row: Partial<Pair>): void =>
    onChange(rows.map((one, place) => (place === at ? { ...one, ...row } : one)));
  const add = (): void => {
    const name = proposals.find((proposal) => !rows.some(({ key }) => key === proposal)) ?? '';
    setAdded(rows.length);
    onChange([...rows, { key: name, value: withAnyValue ? null : '' }]);
  };
  return (
    <Fieldset legend={label} variant="unstyled">
      <Stack gap="xs">
        {hint !== undefined && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
        {rows.map(({ key, value }, at) => (
          <Group key={at} gap="xs" align="flex-start">
            <TextInput
              aria-label={t('link.parameterName', { number: at + 1 })}
              placeholder="utm_source"
              value={key}
              // The service names a parameter by its key.
              error={errors[`${path}.${at}.key`] ?? errors[`${path}.${key.trim()}`]}
              data-path={`${path}.${at}.key`}
              onChange={(event) => set(at, { key: event.currentTarget.value })}
              autoFocus={at === added}
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
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {t('link.addParameter')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
