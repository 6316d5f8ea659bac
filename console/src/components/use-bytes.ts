import { useI18n } from '../i18n/i18n';

const units = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Returns a function that writes a number of bytes for people: `1.2 MB`. */
export function useBytes(): (bytes: number) => string {
  const { locale } = useI18n();
  return (bytes) => {
    const step = bytes < 1_000_000 ? 0 : bytes < 1_000_000_000 ? 1 : 2;
    const format = { style: 'unit', unit: units[step], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(locale, format).format(bytes / 1000 ** (step + 1));
  };
}
