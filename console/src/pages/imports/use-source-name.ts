import { useI18n } from '../../i18n/i18n';
import { isMessageKey } from '../../i18n/text';
import { type Source, sourceNames } from './import-sources';

/** Returns a function that names a source. Names of systems are the same in all languages. */
export function useSourceName(): (source: Source) => string {
  const { t } = useI18n();
  return (source) => {
    const key = `imports.source.${source}`;
    return sourceNames[source] ?? (isMessageKey(key) ? t(key) : source);
  };
}
