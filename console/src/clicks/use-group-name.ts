import { useMemo } from 'react';
import { useI18n } from '../i18n/i18n';
import type { Split } from './filters';

/** The service counts all long links of Firebase as one link. */
const longLinksId = '00000000-0000-0000-0000-000000000000';

export type Property = Split | 'source' | 'version';

export interface NamedGroup {
  value: string | null;
  name: string | null;
  path: string | null;
}

/** Returns a function that names groups of clicks. */
export function useGroupName(): (property: Property, group: NamedGroup) => string {
  const { t, locale } = useI18n();
  return useMemo(() => {
    const regions = new Intl.DisplayNames(locale, { type: 'region' });
    const countryOf = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code);
    return (property, { value, name, path }) => {
      if (value === null || value === '') return t(unknown[property]);
      if (property === 'platform') return { ios: 'iOS', android: 'Android' }[value] ?? t('clicks.desktop');
      if (property === 'country') return countryOf(value);
      if (property === 'source') return t(value === 'dashboard' ? 'clicks.source.dashboard' : 'clicks.source.api');
      if (property === 'tag') return name ?? t('clicks.unknown.tag');
      if (property === 'short_link')
        return path === null ? t('clicks.deletedShortLink', { id: value.slice(-8) }) : `/${path} (${name})`;
      if (property !== 'link') return value;
      if (value === longLinksId) return t('clicks.longLinks');
      return name ?? t('clicks.deletedLink', { id: value.slice(-8) });
    };
  }, [t, locale]);
}

const unknown = {
  link: 'clicks.unknown.link',
  tag: 'clicks.unknown.tag',
  country: 'clicks.unknown.country',
  platform: 'clicks.unknown.platform',
  browser: 'clicks.unknown.browser',
  referrer: 'clicks.unknown.referrer',
  short_link: 'clicks.unknown.short_link',
  source: 'clicks.unknown.source',
  version: 'clicks.unknown.version',
  utm_source: 'clicks.unknown.utm',
  utm_medium: 'clicks.unknown.utm',
  utm_campaign: 'clicks.unknown.utm',
  utm_term: 'clicks.unknown.utm',
  utm_content: 'clicks.unknown.utm',
} as const;
