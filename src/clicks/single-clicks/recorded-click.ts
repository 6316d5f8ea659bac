import type { platforms, sources } from '../recording/click';

/** A counted visit of a link, as both stores have it. */
export interface RecordedClick {
  /** Milliseconds since 1970 (UTC). */
  at: number;
  dynamicLinkId: string;
  shortLinkId: string | null;
  source: (typeof sources)[number] | null;
  platform: (typeof platforms)[number];
  browser: string | null;
  referrer: string | null;
  country: string | null;
  bot: boolean;
  qr: boolean;
}

/** Restricts clicks. An absent filter admits all, and an empty text admits clicks without a value. */
export interface ClickFilter extends Partial<
  Record<'dynamicLinkId' | 'shortLinkId' | 'source' | 'platform' | 'browser' | 'referrer' | 'country', string>
> {
  qr?: boolean;
  includeBots: boolean;
}

export interface ClickCriteria {
  projectId: string;
  /** Milliseconds since 1970 (UTC), included. */
  from: number;
  /** Excluded. */
  to: number;
  filter: ClickFilter;
}

/** Separates the parts of a key. No id, word or host contains it. */
export const keySeparator = '|';

/** A row of either store: the time of a click, and all other columns in one text, which sorts clicks of the same millisecond. */
export interface ClickRow {
  at: number;
  key: string;
}

/** Greater than all keys, which begin with the hex digits of an id. */
export const lastKey = '~';

export function clickOf({ at, key }: ClickRow): RecordedClick {
  const [dynamicLinkId, shortLinkId, source, platform, browser, referrer, country, bot, qr] = key.split(keySeparator);
  return {
    at,
    dynamicLinkId: dynamicLinkId!,
    shortLinkId: shortLinkId || null,
    source: (source as RecordedClick['source']) || null,
    platform: platform as RecordedClick['platform'],
    browser: browser || null,
    referrer: referrer || null,
    country: country || null,
    bot: bot === '1',
    qr: qr === '1',
  };
}
