import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import { parseUrl } from '../../shared/url';

/** A URL that a `Location` header can contain: ASCII, percent-encoded, with a punycode host. */
export type DestinationUrl = string & { readonly brand: 'DestinationUrl' };

/** In characters, both as sent and as stored. */
const maxLength = 2048;

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
/** The pattern in the API description. The rule also refuses URLs that the URL parser refuses. */
const form =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\u0000-\u001f\u007f-\u009f/\\?#@]+(?:[/\\?#][^\u0000-\u001f\u007f-\u009f]*)?$/;
const urlText = text({ max: maxLength });

/**
 * Accepts an absolute http or https URL with a host and no user info, and normalises it by the WHATWG URL standard. Other
 * schemes, such as `javascript:`, are refused. Stored URLs are read by this rule again before they are served.
 */
export const destinationUrl = new Rule<DestinationUrl>(
  { type: 'string', format: 'uri', maxLength, pattern: form.source },
  (value) => {
    const reading = urlText.safeParse(value);
    if ('problems' in reading) return reading;
    const given = reading.value;
    // The URL parser repairs these silently: it drops control characters, trims, adds slashes and skips an empty authority.
    const repaired = controlCharacters.test(given) || given.trim() !== given || !/^https?:\/\/[^/\\?#]/i.test(given);
    const url = repaired ? null : parseUrl(given);
    if (!url) return refused('invalid_format', 'must be an absolute http or https URL');
    const authority = /^https?:\/\/([^/\\?#]*)/i.exec(given)![1]!;
    if (authority.includes('@')) return refused('invalid_format', 'must not contain a user name or password');
    const { href } = url;
    if (href.length > maxLength)
      return refused('too_big', `must have at most ${maxLength} characters when percent-encoded`);
    return { value: href as DestinationUrl };
  },
);
