/** The properties of a visitor whose combinations are summed. Their order is that of the values of the dimension `visitor`. */
export const visitorProperties = ['platform', 'browser', 'country'] as const;

export const filteredProperties = [...visitorProperties, 'referrer', 'short_link', 'source'] as const;
export type FilteredProperty = (typeof filteredProperties)[number];

export const utmParameters = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type UtmParameter = (typeof utmParameters)[number];

export const isUtm = (name: string | null): name is UtmParameter =>
  (utmParameters as readonly (string | null)[]).includes(name);

/** The values of a filter. A condition accepts each of its values. */
export const maxFilterValues = 20;

/** Accepted values by property. An empty text accepts clicks without a value. */
type AcceptedValues = Partial<Record<FilteredProperty, readonly string[]>>;

interface VisitFilter {
  values: AcceptedValues;
  /** Whether the clicks came from QR codes; null for both. */
  qr: boolean | null;
  /** Whether the clicks are those of robots; null leaves this to `includeBots`. */
  bot: boolean | null;
}

/** Restricts statistics to clicks that fulfil all conditions. */
export interface StatisticsFilter extends VisitFilter {
  /** Ids of the accepted links; null for all. */
  links: readonly string[] | null;
}

export interface LinkConditions {
  ids: readonly string[] | undefined;
  /** Names of tags. A link needs one of them. */
  tags: readonly string[] | undefined;
  utm: Partial<Record<UtmParameter, readonly string[]>>;
}

export interface RequestedFilter extends VisitFilter {
  links: LinkConditions;
}

export const noFilter: StatisticsFilter = { values: {}, links: null, qr: null, bot: null };

/** The columns of sums in both stores. Those of clicks are without robots. */
export type Column = 'clicks' | 'qr_scans' | 'bots' | 'bot_qr_scans';

/** A column of sums that is added, or subtracted. */
export type SignedColumn = Column | `-${Column}`;

/** Returns the columns of both stores that add up to the numbers of an answer. */
export function countedColumns(
  { qr, bot }: Pick<StatisticsFilter, 'qr' | 'bot'>,
  includeBots: boolean,
): Record<'clicks' | 'qr_scans' | 'bots', readonly SignedColumn[]> {
  const counted = (people: Column, robots: Column): Column[] => [
    ...(bot === true ? [] : [people]),
    ...(bot === true || (bot === null && includeBots) ? [robots] : []),
  ];
  const scans = counted('qr_scans', 'bot_qr_scans');
  const all = counted('clicks', 'bots');
  if (qr === true) return { clicks: scans, qr_scans: scans, bots: ['bot_qr_scans'] };
  if (qr === null) return { clicks: all, qr_scans: scans, bots: ['bots'] };
  return {
    clicks: [...all, ...scans.map((scan) => `-${scan}` as const)],
    qr_scans: [],
    bots: ['bots', '-bot_qr_scans'],
  };
}
