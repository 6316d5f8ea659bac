import type { Target } from './column-targets';

/** Matches `https://shop.example.com/sale`. */
const url = /^https?:\/\/[^/\\?#\s]+/i;
/** Matches a host with a dot. A path such as `v2.0` has digits behind its last dot. */
const host = /^(?:https?:\/\/)?(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d+)?\.?(?<rest>\/.*)?$/iu;

const isUrl = (value: string): boolean => url.test(value);
/** Returns what follows the host: nothing, or a path. Null if the value has no host. */
const afterHost = (value: string): string | null => {
  const match = host.exec(value);
  return match && (match.groups?.['rest'] ?? '').replace(/^\/$/, '');
};
const isHost = (value: string): boolean => afterHost(value) === '';
const isAddress = (value: string): boolean => isUrl(value) || Boolean(afterHost(value));
const isPath = (value: string): boolean => !/^[a-z][a-z0-9+.-]*:/i.test(value) && !isAddress(value);

/** The form of values, of targets that refuse others. */
const forms: Partial<Record<Target, (value: string) => boolean>> = {
  short_url: isAddress,
  host: isHost,
  custom_path: isPath,
  desktop_url: isAddress,
  ios_fallback_url: isUrl,
  android_fallback_url: isUrl,
  social_image_url: isUrl,
};

/** Returns whether most of the values have the form of a target. A few mistakes in a file do not matter. */
export function fits(target: Target, values: readonly string[]): boolean {
  const hasForm = forms[target];
  return !hasForm || values.length === 0 || 2 * values.filter(hasForm).length > values.length;
}

/** Returns whether there are values, and all are URLs. */
export const areUrls = (values: readonly string[]): boolean => values.length > 0 && values.every(isUrl);

/** Matches a date that begins with the day in some countries, and with the month in others. The service matches the same. */
const dayAndMonth = /^\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)/;

/** Finds a date such as `03/04/2024`. */
export const ambiguousDate = (values: readonly string[]): string | undefined =>
  values.find((value) => dayAndMonth.test(value));
