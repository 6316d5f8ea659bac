import type { ReferrerParams } from '../../shared/referrer-params';

export interface QueryPair {
  /** Decoded, for comparison. */
  name: string;
  /** `name=value` in its original spelling. */
  text: string;
}

/**
 * Returns the destination with the parameters of `mergeParameters`, and its fragment last.
 *
 * @param destination an absolute URL in normalised form
 * @param params the link's pairs, unencoded
 * @param visitorQuery the query of the visitor's URL without `?`, as sent
 */
export function withParameters(destination: string, params: ReferrerParams, visitorQuery: string): string {
  if (params.length === 0 && visitorQuery === '') return destination;
  const { base, query, fragment } = partsOf(destination);
  const merged = toQuery(mergeParameters(query, params, visitorQuery));
  return `${base}${merged && '?'}${merged}${fragment}`;
}

/**
 * Merges the parameters of destination, link and visitor, in this order. A later source replaces earlier parameters of the
 * same name. All others keep their exact spelling and multiplicity.
 */
export const mergeParameters = (destinationQuery: string, params: ReferrerParams, visitorQuery: string): QueryPair[] =>
  [pairsOf(destinationQuery), pairsOfLink(params), pairsOf(visitorQuery)].reduce(merge);

export const pairsOfLink = (params: ReferrerParams): QueryPair[] =>
  params.map(([name, value]) => ({ name, text: `${encodeURIComponent(name)}=${encodeURIComponent(value)}` }));

/** Returns the URL with one more parameter, which replaces others of its name. Neither name nor value needs percent-encoding. */
export function withParameter(url: string, name: string, value: string): string {
  const { base, query, fragment } = partsOf(url);
  return `${base}?${toQuery(merge(pairsOf(query), [{ name, text: `${name}=${value}` }]))}${fragment}`;
}

/** Returns all pairs of `later`, after those of `earlier` that have other names. */
export function merge(earlier: QueryPair[], later: QueryPair[]): QueryPair[] {
  if (earlier.length === 0) return later;
  const replaced = new Set(later.map(({ name }) => name));
  return [...earlier.filter(({ name }) => !replaced.has(name)), ...later];
}

export const toQuery = (pairs: readonly QueryPair[]): string => pairs.map((pair) => pair.text).join('&');

export function pairsOf(query: string): QueryPair[] {
  if (query === '') return [];
  const texts = percentEncodeNonAscii(query).split('&').filter(Boolean);
  return texts.map((text) => ({ name: parameterNameOf(text), text }));
}

/** Returns the decoded name of one `name=value`. */
export function parameterNameOf(pair: string): string {
  const sign = pair.indexOf('=');
  return decodeName(sign < 0 ? pair : pair.slice(0, sign));
}

/** Decodes a name, or returns it unchanged if its percent-encoding is invalid. */
export function decodeName(name: string): string {
  if (!name.includes('%') && !name.includes('+')) return name;
  const spaced = name.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/**
 * Percent-encodes `#` and bytes outside printable ASCII, given as Latin-1 characters. Browsers encode such bytes, and Node answers a
 * request line with raw ones 400. So this changes no query of a visit.
 */
export const percentEncodeNonAscii = (query: string): string =>
  !/[^\x21-\x7e]|#/.test(query) ? query : query.replace(/[^\x21-\x7e]|#/g, percentEncode);

/**
 * Percent-encodes all characters that a query may not contain (RFC 3986, section 3.4), and each `%` that encodes nothing. Swift's
 * `URL(string:)` refuses them before iOS 17.
 */
export const toUriQuery = (query: string): string =>
  query.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]|%(?![0-9A-Fa-f]{2})/g, percentEncode);

const percentEncode = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Splits a URL at its query, without `?`, and its fragment, with `#`. */
export function partsOf(url: string): { base: string; query: string; fragment: string } {
  const hash = url.indexOf('#');
  const beforeHash = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? '' : url.slice(hash);
  const questionMark = beforeHash.indexOf('?');
  if (questionMark < 0) return { base: beforeHash, query: '', fragment };
  return { base: beforeHash.slice(0, questionMark), query: beforeHash.slice(questionMark + 1), fragment };
}
