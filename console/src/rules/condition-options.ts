import type { When } from './rule-drafts';

type Platform = NonNullable<When['platforms']>[number];
type Browser = NonNullable<When['browsers']>[number];

/** Names of systems; null if it depends on the language. */
const platformNames: Record<Platform, string | null> = {
  ios: 'iOS',
  ipados: 'iPadOS',
  android: 'Android',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  chromeos: 'ChromeOS',
  other: null,
};

export const platformOptions = (other: string): { value: Platform; label: string }[] =>
  Object.entries(platformNames).map(([value, label]) => ({ value: value as Platform, label: label ?? other }));

/** Proposals. Rules can name further browsers and apps. */
export const commonBrowsers = [
  'Safari',
  'Chrome',
  'Firefox',
  'Edge',
  'Samsung Internet',
  'Instagram',
  'Facebook',
  'TikTok',
  'WhatsApp',
  'LinkedIn',
] as const satisfies Browser[];

/** Codes of the area that CLDR reserves, for which browsers have names but which are no countries. */
const reserved = new Set(['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ']);
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns the countries that the browser can name, in the order of their names. */
export function countryOptions(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !reserved.has(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((value) => {
      const label = names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, locale));
}
