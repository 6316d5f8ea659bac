import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';

export interface QueryPair {
  /** Decoded, to compare by. */
  name: string;
  /** As it is spelled. */
  text: string;
}

/**
 * A destination with more query parameters: its own, then the link's, then the visitor's. The fragment stays last.
 *
 * @param destination an absolute URL in normalised form
 * @param params the link's own pairs, unencoded
 * @param visitorQuery what the visitor's URL has behind `?`, as it was sent
 */
export function withQuery(destination: string, params: ReferrerParams, visitorQuery: string): string {
  if (params.length === 0 && visitorQuery === '') return destination;
  const hash = destination.indexOf('#');
  const beforeHash = hash < 0 ? destination : destination.slice(0, hash);
  const fragment = hash < 0 ? '' : destination.slice(hash);
  const mark = beforeHash.indexOf('?');
  const base = mark < 0 ? beforeHash : beforeHash.slice(0, mark);
  const query = inOneQuery(mergedPairs(mark < 0 ? '' : beforeHash.slice(mark + 1), params, visitorQuery));
  return `${base}${query && '?'}${query}${fragment}`;
}

/**
 * The parameters of the destination's own query, the link and the visitor. A later source replaces the parameters of the
 * same name of the earlier ones; what it does not replace keeps its exact spelling, and a name that one source gives several
 * times stays several times.
 */
export function mergedPairs(ownQuery: string, params: ReferrerParams, visitorQuery: string): QueryPair[] {
  const sources = [
    pairsOf(ownQuery),
    params.map(([name, value]) => ({ name, text: `${encodeURIComponent(name)}=${encodeURIComponent(value)}` })),
    pairsOf(asciiOnly(visitorQuery)),
  ];
  return sources.flatMap((pairs, at) => {
    const later = new Set(sources.slice(at + 1).flatMap((source) => source.map((pair) => pair.name)));
    return pairs.filter((pair) => !later.has(pair.name));
  });
}

export const inOneQuery = (pairs: readonly QueryPair[]): string => pairs.map((pair) => pair.text).join('&');

function pairsOf(query: string): QueryPair[] {
  return query
    .split('&')
    .filter((text) => text !== '')
    .map((text) => ({ name: nameOf(text), text }));
}

/** Of one `name=value`, decoded. */
export const nameOf = (pair: string): string => decode(pair.split('=', 1)[0]!);

/** A name that is not valid percent-encoding is compared as it stands. */
function decode(name: string): string {
  const spaced = name.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Bytes outside printable ASCII, which Node hands on as Latin-1 characters, and a stray `#`, percent-encoded. */
export const asciiOnly = (query: string): string =>
  query.replace(/[^\x21-\x7e]|#/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
