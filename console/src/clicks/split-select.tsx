import { Select } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { type Split, splits, utmSplits } from './filters';

/** Selects the property whose values are lines of the chart. */
export function SplitSelect({
  split,
  isProject,
  onChange,
}: {
  split: Split | undefined;
  isProject: boolean;
  onChange: (split: Split | undefined) => void;
}) {
  const { t } = useI18n();
  const ofLinks: readonly Split[] = ['link', 'tag', ...utmSplits];
  const offered = splits.filter((one) => isProject || !ofLinks.includes(one));
  return (
    <Select
      size="xs"
      aria-label={t('clicks.split')}
      placeholder={t('clicks.split')}
      data={offered.map((value) => ({ value, label: t(`clicks.property.${value}`) }))}
      value={split ?? null}
      onChange={(value) => onChange(splits.find((one) => one === value))}
      clearable
      clearButtonProps={{ 'aria-label': t('clicks.noSplit') }}
      flex="0 1 170px"
      miw={75}
    />
  );
}
