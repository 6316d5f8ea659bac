import type { AnalyticsFilter, ProjectAnalyticsFilter } from '../api/queries';

const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/** Filters of all pages with clicks. */
const visitFilters = ['platform', 'browser', 'country', 'referrer', 'short_link_id', 'source', 'qr', 'bot'] as const;
export const filterNames = [...visitFilters, 'link_id', 'tag', ...utmNames] as const;
export type FilterName = (typeof filterNames)[number];

/** The accepted values of each condition. An empty text accepts clicks without a value. */
export type Filters = Partial<Record<FilterName, string[]>>;

/** The service accepts so many values of a condition. */
const maxValues = 20;

/** Reads filters from the address. Those that it does not understand are left out. */
export function readFilters(raw: unknown): Filters {
  const sent = (typeof raw === 'object' && raw !== null ? raw : {}) as Partial<Record<string, unknown>>;
  const readings = filterNames.map((name) => {
    const values = sent[name];
    const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
    return [name, [...new Set(texts)].slice(0, maxValues)] as const;
  });
  return Object.fromEntries(readings.filter(([, values]) => values.length > 0));
}

/** Adds a value. A click cannot be both from a QR code and not from one, so that these replace each other. */
export function withFilter(filters: Filters, name: FilterName, value: string): Filters {
  const before = name === 'qr' || name === 'bot' ? [] : (filters[name] ?? []);
  return { ...filters, [name]: [...new Set([...before, value])].slice(-maxValues) };
}

export function withoutFilter(filters: Filters, name: FilterName, value: string): Filters {
  const { [name]: values = [], ...others } = filters;
  const rest = values.filter((one) => one !== value);
  return rest.length > 0 ? { ...others, [name]: rest } : others;
}

/** Returns the parameters of a request. Those of a link have no conditions on links. */
export function parametersOf(filters: Filters, linkId: string | null): ProjectAnalyticsFilter {
  const { qr, bot, ...lists } = filters;
  const flag = (values: string[] | undefined) => (values?.[0] === 'true' ? 'true' : 'false');
  const known = Object.entries(lists).filter(
    ([name]) => linkId === null || (visitFilters as readonly string[]).includes(name),
  );
  return {
    ...(Object.fromEntries(known) as AnalyticsFilter),
    ...(qr && { qr: flag(qr) }),
    ...(bot && { bot: flag(bot) }),
  };
}

/** Returns whether opens and claims of apps have all properties of the conditions. */
export const suitsApps = (filters: Filters): boolean =>
  (['browser', 'referrer', 'short_link_id', 'source', 'qr', 'bot'] as const).every((name) => !filters[name]);

/** The properties by which a chart is split into lines. */
export const splits = ['link', 'tag', ...utmNames, 'short_link', 'platform', 'country', 'browser', 'referrer'] as const;
export type Split = (typeof splits)[number];

export const utmSplits = utmNames;

/** The condition that a group leads to. */
export const filterOf: Record<Split | 'source', FilterName> = {
  link: 'link_id',
  tag: 'tag',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
  short_link: 'short_link_id',
  platform: 'platform',
  country: 'country',
  browser: 'browser',
  referrer: 'referrer',
  source: 'source',
};

/** Returns whether clicks have no value of a property. A direct visit and a custom path are values. */
export const lacksValue = (property: Split | 'source' | 'version', value: string | null): boolean =>
  !value && property !== 'referrer' && property !== 'short_link' && property !== 'source';

/** Returns the accepted value of a group, or null if no condition selects it. */
export function valueOfGroup(
  split: Split | 'source',
  group: { value: string | null; name: string | null },
): string | null {
  if (split === 'tag') return group.name;
  if (group.value !== null) return group.value;
  return split === 'link' || split.startsWith('utm_') || split === 'short_link' ? null : '';
}
