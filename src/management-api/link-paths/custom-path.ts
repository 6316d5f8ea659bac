import { randomInt } from 'node:crypto';
import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';

/** The path of a link under a project's host, without the leading slash. */
export type LinkPath = string & { readonly brand: 'LinkPath' };

const pathText = text<LinkPath>({
  min: 1,
  max: 50,
  pattern: /^[A-Za-z0-9][A-Za-z0-9_.~-]*(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~-]+)*$/,
  patternSays:
    'consist of segments of letters, digits and - _ . ~ joined by single slashes, begin with a letter or digit, and have no . or .. segment',
});

/** Browsers, crawlers and phones fetch these from every host. */
const reserved = new Set(['robots.txt', 'favicon.ico', 'apple-app-site-association']);

/** Accepts only characters that a URL contains unencoded (RFC 3986, "unreserved"), so each path has one spelling. */
export const customPath = new Rule<LinkPath>({ ...pathText.schema, not: { enum: [...reserved] } }, (value) => {
  const reading = pathText.safeParse(value);
  if ('value' in reading && reserved.has(reading.value))
    return refused('invalid_format', 'is reserved; choose another one');
  return reading;
});

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Draws eight random letters and digits. */
export const generateCustomPath = (): LinkPath =>
  Array.from({ length: 8 }, () => alphanumeric[randomInt(alphanumeric.length)]).join('') as LinkPath;
