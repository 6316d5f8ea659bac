import { Select } from '@mantine/core';
import { useI18n } from '../../i18n/i18n';
import type { Source } from './import-sources';
import { useSourceName } from './use-source-name';

/** Asks for the system that has the links. */
export function SourceField<S extends Source>({
  sources,
  source,
  help,
  isDisabled,
  onChange,
}: {
  sources: S[];
  source: S;
  help?: string;
  isDisabled: boolean;
  onChange: (source: S) => void;
}) {
  const { t } = useI18n();
  const sourceName = useSourceName();
  return (
    <Select
      label={t('imports.form.source')}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={sources.map((value) => ({ value, label: sourceName(value) }))}
      value={source}
      onChange={(value) => onChange(value!)}
      allowDeselect={false}
      disabled={isDisabled}
    />
  );
}
