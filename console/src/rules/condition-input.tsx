import { MultiSelect, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { errorAt } from '../components/error-at';
import { localTime, utcTime } from '../components/local-time';
import { useI18n } from '../i18n/i18n';
import { commonBrowsers, countryOptions, platformOptions } from './condition-options';
import { PairRows } from './pair-rows';
import type { ConditionName, Pair } from './rule-drafts';

/** Edits one condition of a rule. */
export function ConditionInput({
  name,
  value,
  path,
  errors,
  onChange,
}: {
  name: ConditionName;
  value: unknown;
  path: string;
  errors: Record<string, ReactNode>;
  onChange: (value: unknown) => void;
}) {
  const { t } = useI18n();
  const label = t(`rules.condition.${name}`);
  const field = { label, error: errorAt(errors, path) };
  switch (name) {
    case 'platforms':
      return (
        <ChoiceOfMany {...field} data={platformOptions(t('rules.otherPlatform'))} value={value} onChange={onChange} />
      );
    case 'countries':
      return <Countries {...field} value={value as string[]} onChange={onChange} />;
    case 'browsers':
    case 'languages':
    case 'referring_hosts':
    case 'networks':
      return (
        <TagsInput
          {...field}
          description={t(`rules.hint.${name}`)}
          data={name === 'browsers' ? commonBrowsers : []}
          value={value as string[]}
          onChange={onChange}
        />
      );
    case 'os_version':
    case 'app_version':
      return <VersionRange {...{ label, path, errors, onChange }} range={value as Record<string, string>} />;
    case 'from':
    case 'until':
      return (
        <TextInput
          {...field}
          type="datetime-local"
          step={1}
          value={localTime(value as string)}
          onChange={(event) => onChange(utcTime(event.currentTarget.value) ?? '')}
        />
      );
    case 'qr':
      return (
        <Select
          {...field}
          data={(['true', 'false'] as const).map((one) => ({ value: one, label: t(`rules.qr.${one}`) }))}
          value={String(value)}
          onChange={(chosen) => onChange(chosen === 'true')}
          allowDeselect={false}
        />
      );
    case 'query':
      return (
        <PairRows label={label} rows={value as Pair[]} path={path} errors={errors} onChange={onChange} withAnyValue />
      );
  }
}

interface ChoiceProps {
  label: string;
  error: ReactNode;
  value: unknown;
  onChange: (value: string[]) => void;
}

/** Keeps values that are not offered. */
function ChoiceOfMany({ data, value, ...field }: ChoiceProps & { data: { value: string; label: string }[] }) {
  const chosen = value as string[];
  const others = chosen.filter((one) => !data.some((offered) => offered.value === one));
  const all = [...data, ...others.map((one) => ({ value: one, label: one }))];
  return <MultiSelect {...field} data={all} value={chosen} searchable hidePickedOptions />;
}

export function Countries(props: ChoiceProps & { value: string[] }) {
  const { locale } = useI18n();
  const data = useMemo(() => countryOptions(locale), [locale]);
  return <ChoiceOfMany {...props} data={data} />;
}

function VersionRange({
  label,
  range,
  path,
  errors,
  onChange,
}: {
  label: string;
  range: Record<string, string>;
  path: string;
  errors: Record<string, ReactNode>;
  onChange: (range: Record<string, string>) => void;
}) {
  const { t } = useI18n();
  return (
    <SimpleGrid cols={2} spacing="xs">
      {(['min', 'max'] as const).map((end) => (
        <TextInput
          key={end}
          label={t(`rules.version.${end}`, { label })}
          placeholder={end === 'min' ? '16.4' : '17'}
          value={range[end] ?? ''}
          // A range without ends is a fault of the whole.
          error={errors[`${path}.${end}`] ?? (end === 'min' ? errors[path] : undefined)}
          onChange={({ currentTarget: { value } }) => {
            const { [end]: _, ...others } = range;
            onChange(value.trim() === '' ? others : { ...range, [end]: value.trim() });
          }}
        />
      ))}
    </SimpleGrid>
  );
}
