import { Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { type Days, maxDays, readDays } from './clicks-search';
import { calendarDays, calendarPeriods } from './period';

/** Selects calendar weeks, months, or any days. */
export function OwnPeriod({
  days,
  timezone,
  now,
  onChange,
}: {
  days: Days;
  timezone: string;
  /** Milliseconds since 1970. */
  now: number;
  onChange: (days: Days) => void;
}) {
  const { t, number } = useI18n();
  // Days that are no period yet, while they are typed.
  const [typed, setTyped] = useState<Days | null>(null);
  const shown = typed ?? days;
  const named = calendarPeriods.find((period) => {
    const { from, to } = calendarDays(period, timezone, now);
    return from === shown.from && to === shown.to;
  });
  const type = (changes: Partial<Days>): void => {
    const next = { ...shown, ...changes };
    const period = readDays(next);
    setTyped(period ? null : next);
    if (period) onChange(period);
  };
  return (
    <Group gap="sm" align="end">
      <Select
        label={t('clicks.calendar')}
        placeholder={t('clicks.calendar.own')}
        data={calendarPeriods.map((value) => ({ value, label: t(`clicks.calendar.${value}`) }))}
        value={named ?? null}
        onChange={(value) => {
          const period = calendarPeriods.find((one) => one === value);
          if (period) type(calendarDays(period, timezone, now));
        }}
        w={180}
      />
      <TextInput
        type="date"
        label={t('clicks.firstDay')}
        value={shown.from}
        onChange={(event) => type({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('clicks.lastDay')}
        value={shown.to}
        onChange={(event) => type({ to: event.currentTarget.value })}
      />
      {typed && (
        <Text size="sm" c="red" role="alert">
          {t('clicks.noPeriod', { days: number(maxDays) })}
        </Text>
      )}
    </Group>
  );
}
