import { describedPattern, refused, Rule } from './rule';
import { text } from './text';
import { parseUrl, toUri } from './url';

/** A URL that a `Location` header can contain: ASCII, percent-encoded, with a punycode host. */
export type DestinationUrl = string & { readonly brand: 'DestinationUrl' };

/** In characters, both as sent and as stored. */
const maxLength = 2048;

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
/** The pattern in the API description. The rule also refuses URLs that the URL parser refuses. */
const form =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\u0000-\u001f\u007f-\u009f/\\?#@]+(?:[/\\?#][^\u0000-\u001f\u007f-\u009f]*)?$/;
const urlText = text({ max: maxLength });

/** Returns a rule for absolute http and https URLs with a host and no user info. Other schemes, such as `javascript:`, are refused. */
const urlRule = (spell: (url: URL) => string): Rule<DestinationUrl> =>
  // No `format`, because a request may send a URL such as `https://bücher.example/{a}`.
  new Rule<DestinationUrl>({ type: 'string', maxLength, pattern: describedPattern(form) }, (value) => {
    const reading = urlText.safeParse(value);
    if ('problems' in reading) return reading;
    const given = reading.value;
    // The URL parser repairs these silently: it drops control characters, trims, adds slashes and skips an empty authority.
    const repaired = controlCharacters.test(given) || given.trim() !== given || !/^https?:\/\/[^/\\?#]/i.test(given);
    const url = repaired ? null : parseUrl(given);
    if (!url) return refused('invalid_format', 'must be an absolute http or https URL');
    const authority = /^https?:\/\/([^/\\?#]*)/i.exec(given)![1]!;
    if (authority.includes('@')) return refused('invalid_format', 'must not contain a user name or password');
    const spelling = spell(url);
    if (spelling.length > maxLength)
      return refused('too_big', `must have at most ${maxLength} characters when percent-encoded`);
    return { value: spelling as DestinationUrl };
  });

/** Normalises a URL by the WHATWG URL standard, and percent-encodes what a URI of RFC 3986 may not contain. */
export const destinationUrl = urlRule(toUri);

/** Normalises a URL by the WHATWG URL standard alone. Stored URLs are read by this rule before they are served, so that they keep their spelling. */
export const servableUrl = urlRule(({ href }) => href);
