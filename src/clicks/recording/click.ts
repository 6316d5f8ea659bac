/** The resolution of click sums, because the hours and days of every time zone begin on a quarter of an hour. */
export const quarterHourMs = 15 * 60_000;

export const dayMs = 24 * 60 * 60_000;

export const platforms = ['ios', 'android', 'desktop'] as const;

export const sources = ['dashboard', 'api'] as const;

export interface Client {
  platform: string;
  /** The browser family or the app that contains the browser; null if unknown, and for robots. */
  browser: string | null;
  robot: boolean;
}

export interface OpenedLink {
  readonly id: string;
  readonly shortLinkId: string | null;
  readonly shortLinkSource: string | null;
  /**
   * The quarter of an hour in a batch that last contained the link, or 0, and the link's number there. Only `ClickBatch` uses
   * them. A table instead would double the cost of a click when thousands of links are opened at random.
   */
  quarterSerial: number;
  numberInQuarter: number;
}

/**
 * A counted visit of a link. It contains neither an address nor text from the visitor. Each field is an id, a word of a closed
 * list, or a host of letters, digits, dots and hyphens.
 */
export interface Click {
  /** Milliseconds since 1970 (UTC). */
  at: number;
  projectId: string;
  link: OpenedLink;
  client: Client;
  referrer: string | null;
  country: string | null;
  qr: boolean;
}

/** The columns of a click beside its project and time. They are also the parts of its key, in their order. */
export const clickColumns = [
  'dynamic_link_id',
  'short_link_id',
  'source',
  'platform',
  'browser',
  'referrer',
  'country',
  'bot',
  'qr',
] as const;

/** The columns of the table `clicks` that have the same, as arrays for the clicks of a row, before their moments. */
export const clickArrays = [
  'dynamic_link_ids',
  'short_link_ids',
  'sources',
  'platforms',
  'browsers',
  'referrers',
  'countries',
  'bots',
  'qrs',
  'opened',
  'opened_by',
  'times',
] as const;
