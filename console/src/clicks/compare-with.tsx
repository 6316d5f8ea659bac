import { Select, TextInput } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { type ClicksSearch, isDay } from './clicks-search';

type Compare = ClicksSearch['compare'];

const choices = ['before', 'year', 'own', 'none'] as const;

/** Selects the period that the numbers are compared with. */
export function CompareWith({
  compare,
  proposedDay,
  onChange,
}: {
  compare: Compare;
  /** The first day of the period before. */
  proposedDay: string;
  onChange: (compare: Compare) => void;
}) {
  const { t } = useI18n();
  const choice = compare === undefined ? 'before' : compare === 'year' || compare === 'none' ? compare : 'own';
  const choose = (value: (typeof choices)[number]): void => {
    if (value === 'own') onChange(isDay(proposedDay) ? proposedDay : undefined);
    else onChange(value === 'before' ? undefined : value);
  };
  return (
    <>
      <Select
        aria-label={t('clicks.compare')}
        data={choices.map((value) => ({ value, label: t(`clicks.compare.${value}`) }))}
        value={choice}
        onChange={(value) => {
          const chosen = choices.find((one) => one === value);
          if (chosen) choose(chosen);
        }}
        allowDeselect={false}
        w={250}
      />
      {choice === 'own' && (
        <TextInput
          type="date"
          aria-label={t('clicks.compare.firstDay')}
          value={compare}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isDay(value)) onChange(value);
          }}
        />
      )}
    </>
  );
}
