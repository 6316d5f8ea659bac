import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';

export interface QueryPair {
  /** Decoded, for comparison. */
  name: string;
  /** `name=value` in its original spelling. */
  text: string;
}

/**
 * Returns the destination with the parameters of `mergedPairs` and its fragment last.
 *
 * @param destination an absolute URL in normalised form
 * @param params the link's pairs, unencoded
 * @param visitorQuery the query of the visitor's URL without `?`, as sent
 */
export function withParameters(destination: string, params: ReferrerParams, visitorQuery: string): string {
  if (params.length === 0 && visitorQuery === '') return destination;
  const hash = destination.indexOf('#');
  const beforeHash = hash < 0 ? destination : destination.slice(0, hash);
  const fragment = hash < 0 ? '' : destination.slice(hash);
  const questionMark = beforeHash.indexOf('?');
  const base = questionMark < 0 ? beforeHash : beforeHash.slice(0, questionMark);
  const query = toQuery(
    mergeParameters(questionMark < 0 ? '' : beforeHash.slice(questionMark + 1), params, visitorQuery),
  );
  return `${base}${query && '?'}${query}${fragment}`;
}

/**
 * Merges the parameters of destination, link and visitor, in this order. A later source replaces earlier parameters of the
 * same name. All others keep their exact spelling and multiplicity.
 */
export function mergeParameters(destinationQuery: string, params: ReferrerParams, visitorQuery: string): QueryPair[] {
  const sources = [
    pairsOf(destinationQuery),
    params.map(([name, value]) => ({ name, text: `${encodeURIComponent(name)}=${encodeURIComponent(value)}` })),
    pairsOf(percentEncodeNonAscii(visitorQuery)),
  ];
  return sources.flatMap((pairs, at) => {
    const later = new Set(sources.slice(at + 1).flatMap((source) => source.map((pair) => pair.name)));
    return pairs.filter((pair) => !later.has(pair.name));
  });
}

export const toQuery = (pairs: readonly QueryPair[]): string => pairs.map((pair) => pair.text).join('&');

function pairsOf(query: string): QueryPair[] {
  return query
    .split('&')
    .filter((text) => text !== '')
    .map((text) => ({ name: parameterNameOf(text), text }));
}

/** Returns the decoded name of one `name=value`. */
export const parameterNameOf = (pair: string): string => decode(pair.split('=', 1)[0]!);

/** Decodes a name, or returns it unchanged if its percent-encoding is invalid. */
function decode(name: string): string {
  const spaced = name.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Percent-encodes `#` and bytes outside printable ASCII, which Node passes on as Latin-1 characters. */
export const percentEncodeNonAscii = (query: string): string =>
  query.replace(/[^\x21-\x7e]|#/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
