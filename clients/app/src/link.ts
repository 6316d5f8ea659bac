/** A value of a parameter. Parameters that repeat are lists. */
export type Params = Record<string, string | string[]>;

/** A link that opened the app. */
export interface SignpostLink {
  /** Distinguishes taps. An update of a link has the same id. */
  id: string;
  /** `direct`: the system opened the app with the link. `deferred`: the person installed the app after tapping the link. */
  type: 'direct' | 'deferred';
  /**
   * Whether the service answered after the time limit. The person may be somewhere else in the app, so do not navigate without a question.
   */
  late: boolean;
  /** `unanswered`: the link was parsed without the service. `unknown`: the service has no such link. */
  answer: 'resolved' | 'unanswered' | 'unknown';
  /** The URL that the system delivered; for a deferred link the full URL. */
  url: string;
  /** The path of the dynamic link with a leading slash. Without an answer, it is the path of the URL. */
  path: string;
  /** The visitor's parameters, without those of the service. */
  params: Params;
  /** Path and parameters, ready for a router: `/summer?x=1`. */
  route: string;
  fullUrl: string | null;
  externalId: string | null;
  /** The address for a browser. Open this one, not `url`, if the app has no such route. */
  destination: string | null;
  referrerParams: Record<string, string> | null;
  appData: Record<string, unknown> | null;
  /** Name of the variant of `destination`. Null without one, and without an answer. */
  variant: string | null;
  /** By which conversions count for the link. Null if they are off, and without an answer. */
  clickId: string | null;
  /** The time of the visit, ISO 8601. For deferred links only. */
  clickedAt: string | null;
}

export interface ParsedUrl {
  host: string;
  path: string;
  params: Params;
  /** The token of a deferred link, or null. */
  token: string | null;
}

/** Longer texts are not parsed. */
const maxLength = 8192;
const tokenName = 'deferred_link';
const ownNames = [tokenName, '_via'];
const isToken = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{22}$/.test(text);

/** Decodes a part of a query. Returns it unchanged if its percent-encoding is malformed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

/** Parses a query without `URLSearchParams`, because some versions of Hermes lack its methods. */
function parseQuery(query: string): Params {
  const params = new Map<string, string | string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const sign = pair.indexOf('=');
    const name = decode(sign < 0 ? pair : pair.slice(0, sign));
    const value = sign < 0 ? '' : decode(pair.slice(sign + 1));
    const earlier = params.get(name);
    params.set(name, earlier === undefined ? value : ([] as string[]).concat(earlier, value));
  }
  // Defines `__proto__` as a property like any other.
  return Object.fromEntries(params);
}

const withoutOwn = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !ownNames.includes(name)));

const tokenOf = (params: Params): string | null => {
  const first = ([] as string[]).concat(params[tokenName] ?? [])[0];
  return isToken(first) ? first : null;
};

/** Parses an https URL on one of the hosts. Returns null for any other text. */
export function parseUrl(text: string, hosts: readonly string[]): ParsedUrl | null {
  const url = text.trim();
  if (url.length > maxLength) return null;
  // No user name, port or character that parsers read differently.
  const parts = /^https:\/\/([\w.-]+)(\/[^?#\s\\]*)?(?:\?([^#\s\\]*))?(?:#\S*)?$/i.exec(url);
  const host = parts?.[1]?.toLowerCase();
  if (!host || !hosts.some((one) => one.toLowerCase() === host)) return null;
  const params = parseQuery(parts?.[3] ?? '');
  return { host, path: parts?.[2] ?? '/', params: withoutOwn(params), token: tokenOf(params) };
}

/** Parses an install referrer, which some stores encode twice. */
export function parseReferrer(text: string): { params: Params; token: string | null } {
  let query = text.replace(/^\?/, '');
  for (let times = 0; times < 2 && !/[=&]/.test(query); times++) query = decode(query);
  const params = parseQuery(query);
  return { params: withoutOwn(params), token: tokenOf(params) };
}

/** Joins path and parameters. */
export function routeOf(path: string, params: Params): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    ([] as string[]).concat(value).map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  return path + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const objectOrNull = <T>(value: unknown): T | null => (isObject(value) ? (value as T) : null);

/**
 * Completes a link with the answer of the service.
 * @param answer the parsed body, or null without an answer
 */
export function linkOf(
  base: Pick<SignpostLink, 'id' | 'type' | 'url' | 'path' | 'params'>,
  answer: unknown,
): SignpostLink {
  const data = dataOf(answer);
  const path = data ? `/${encodeURI(data.path).replace(/^\/+/, '')}` : base.path;
  return {
    ...base,
    late: false,
    answer: data ? 'resolved' : 'unanswered',
    path,
    route: routeOf(path, base.params),
    fullUrl: textOrNull(data?.['full_url']),
    externalId: textOrNull(data?.['external_id']),
    destination: textOrNull(data?.['destination']),
    referrerParams: objectOrNull(data?.['referrer_params']),
    appData: objectOrNull(data?.['app_data']),
    variant: textOrNull(data?.['variant']),
    clickId: textOrNull(data?.['click_id']),
    clickedAt: textOrNull(data?.['clicked_at']),
  };
}

/** Returns `data` of an answer; null if another server answered, such as the portal of a network. */
export function dataOf(answer: unknown): (Record<string, unknown> & { path: string }) | null {
  const data = isObject(answer) ? answer['data'] : null;
  return isObject(data) && typeof data['path'] === 'string'
    ? (data as Record<string, unknown> & { path: string })
    : null;
}
