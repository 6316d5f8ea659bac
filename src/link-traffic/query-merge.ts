/**
 * A destination with more query parameters: its own, then the link's, then the visitor's. A later source replaces the
 * parameters of the same name of the earlier ones; what it does not replace keeps its exact spelling, and a name that one
 * source gives several times stays several times. The fragment stays last.
 *
 * @param destination an absolute URL in normalised form
 * @param params the link's own pairs, unencoded
 * @param visitorQuery what the visitor's URL has behind `?`, as it was sent
 */
export function withQuery(
  destination: string,
  params: readonly (readonly [string, string])[],
  visitorQuery: string,
): string {
  if (params.length === 0 && visitorQuery === '') return destination;
  const hash = destination.indexOf('#');
  const beforeHash = hash < 0 ? destination : destination.slice(0, hash);
  const fragment = hash < 0 ? '' : destination.slice(hash);
  const mark = beforeHash.indexOf('?');
  const base = mark < 0 ? beforeHash : beforeHash.slice(0, mark);
  const sources = [
    mark < 0 ? [] : pairsOf(beforeHash.slice(mark + 1)),
    params.map(([name, value]) => ({ name, text: `${encode(name)}=${encode(value)}` })),
    pairsOf(asciiOnly(visitorQuery)),
  ];
  const merged: string[] = [];
  sources.forEach((pairs, at) => {
    const later = new Set(sources.slice(at + 1).flatMap((source) => source.map((pair) => pair.name)));
    for (const pair of pairs) if (!later.has(pair.name)) merged.push(pair.text);
  });
  return `${base}${merged.length > 0 ? `?${merged.join('&')}` : ''}${fragment}`;
}

interface Pair {
  /** Decoded, to compare by. */
  name: string;
  /** As it is spelled. */
  text: string;
}

function pairsOf(query: string): Pair[] {
  return query
    .split('&')
    .filter((text) => text !== '')
    .map((text) => ({ name: decode(text.split('=', 1)[0]!), text }));
}

/** A name that is not valid percent-encoding is compared as it stands. */
function decode(name: string): string {
  const spaced = name.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** As forms do it, but for spaces: `%20` is read as a space by every server, `+` is not. */
const encode = (text: string): string => encodeURIComponent(text);

/** Bytes outside printable ASCII, which Node hands on as Latin-1 characters, and a stray `#`, percent-encoded. */
const asciiOnly = (query: string): string =>
  query.replace(/[^\x21-\x7e]|#/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
