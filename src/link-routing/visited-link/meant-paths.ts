import { unescape } from 'node:querystring';
import { type LinkPath, linkPath } from '../../link-paths/paths/custom-path';
import { percentEncodeNonAscii } from './query-merge';

/** The paths that a visitor may mean, best first, and the query that was part of the path. */
export interface MeantPaths {
  paths: LinkPath[];
  query: string;
}

/** The longest path that is read, without its query. A link has at most 50 characters, and hostile addresses have thousands. */
const maxPathChars = 600;

/** The name of a parameter with the equals sign. It contains no `/`, because a path can continue behind an ampersand. */
const parameterName = '(?:[^&=%/;]|%(?!26|3D|2F|3B)[0-9A-F]{2}){1,100}(?:=|%3D)';

/** Finds `&name=value`, also as HTML has it, and an encoded `?name` behind a path. `%EF%BC%9F` is the full-width question mark. */
const gluedQuery = new RegExp(
  `(?:%3F|%EF%BC%9F)(?=\\w|${parameterName})|(?:&|%26)(?:amp(?:;|%3B))?(?=${parameterName})`,
  'i',
);

/**
 * Match up to the last character that is neither punctuation, symbol, white space nor invisible. The first two keep characters that
 * a path can end with, because a link may have them. A slash is never cut.
 */
const uncut = [
  /^.*(?:[^\p{P}\p{S}\p{Cf}\p{Default_Ignorable_Code_Point}\s]|[/._~-])/su,
  /^.*(?:[^\p{P}\p{S}\p{Cf}\p{Default_Ignorable_Code_Point}\s]|[/_~-])/su,
  /^.*(?:[^\p{P}\p{S}\p{Cf}\p{Default_Ignorable_Code_Point}\s]|\/)/su,
];

/**
 * Returns at most four paths for an address that no link has: as sent, and without the characters at its end. Messengers and writers
 * glue these to an address (docs/contract-link-traffic.md, “Mistyped addresses”).
 * @param sent the path as sent, without the leading slash
 */
export function meantPaths(sent: string): MeantPaths {
  const glued = gluedQuery.exec(sent.slice(0, maxPathChars));
  const sentPath = glued === null ? sent : sent.slice(0, glued.index);
  if (sentPath.length > maxPathChars) return { paths: [], query: '' };
  const path = decodePath(withoutFinalSlash(sentPath));
  const cut = uncut.map((pattern) => pattern.exec(path)?.[0] ?? '').filter((rest) => rest !== path);
  const spellings = [path, ...cut.map(withoutFinalSlash)];
  const paths = spellings.map((spelling) => linkPath.tryParse(spelling)).filter((read) => read !== null);
  const query = glued === null ? '' : sent.slice(glued.index + glued[0].length);
  return { paths: [...new Set(paths)], query: query.split('&').map(decodedPair).join('&') };
}

/** Decodes a path. Bytes and signs that encode nothing stay as U+FFFD or unchanged, and name no link. */
export const decodePath = (sent: string): string => (sent.includes('%') ? unescape(sent) : sent);

/** Removes one final slash, because no link has a path that ends with one. */
export const withoutFinalSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) : path;

/** Decodes `name%3Dvalue` once, because all of the query was encoded with its equals sign. */
const decodedPair = (pair: string): string =>
  /%3D/i.test(pair) && !pair.includes('=')
    ? percentEncodeNonAscii(Buffer.from(unescape(pair), 'utf8').toString('latin1'))
    : pair;
