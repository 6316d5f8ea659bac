import { randomBytes } from 'node:crypto';
import { refused, Rule } from '../../shared/rule';
import { text, type TextLimits } from '../../shared/text';

/** The path of a link under a project's host, without the leading slash. */
export type LinkPath = string & { readonly brand: 'LinkPath' };

/** Browsers, crawlers and phones fetch these from every host. */
const reserved = new Set(['robots.txt', 'favicon.ico', 'apple-app-site-association']);

export const isReserved = (path: string): boolean => reserved.has(path);

/** Accepts only characters that a URL contains unencoded (RFC 3986, "unreserved"), so each path has one spelling. */
function pathRule(limits: Pick<TextLimits, 'pattern' | 'patternSays' | 'except'>): Rule<LinkPath> {
  const pathText = text<LinkPath>({ min: 1, max: 50, ...limits });
  const { not, ...schema } = pathText.schema;
  const taken = { enum: [...reserved] };
  return new Rule<LinkPath>({ ...schema, not: not ? { anyOf: [not, taken] } : taken }, (value) => {
    const reading = pathText.safeParse(value);
    if ('value' in reading && reserved.has(reading.value))
      return refused('invalid_format', 'is reserved; choose another one');
    return reading;
  });
}

/** The path of a link that is written. Messengers take a dot at the end of an address for the end of the sentence. */
export const customPath = pathRule({
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_.~-]*[A-Za-z0-9_~-])?(?:\/[A-Za-z0-9_.~-]*[A-Za-z0-9_~-])*$/,
  patternSays:
    'consist of segments of letters, digits and - _ . ~ joined by single slashes, begin with a letter or digit, and have no segment that ends with a dot',
});

/** The path of a link that is stored. Earlier releases allowed a dot at the end of a segment. */
export const linkPath = pathRule({
  pattern: /^[A-Za-z0-9][A-Za-z0-9_.~-]*(?:\/[A-Za-z0-9_.~-]+)*$/,
  except: /\/\.{1,2}(?:\/|$)/,
});

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const generatedLength = 8;

/** Attempts at a generated path for a link. A second attempt is rare, because there are 62^8 paths. */
export const maxDraws = 5;

/** Draws eight random letters and digits, all with the same probability. */
export function generateCustomPath(): LinkPath {
  let path = '';
  while (path.length < generatedLength)
    for (const byte of randomBytes(2 * generatedLength)) {
      // The low six bits are 0 to 63. The last two of them name no character.
      const character = alphanumeric[byte & 63];
      if (character !== undefined && path.length < generatedLength) path += character;
    }
  return path as LinkPath;
}
