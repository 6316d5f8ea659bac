import { describedPattern, listOf, type ParseResult, refused, Rule } from './rule';
import { text } from './text';
import { parseUrl, toUri } from './url';

/** A URL in ASCII, percent-encoded. That of the web has a punycode host, and a `Location` header can contain it. */
export type DestinationUrl = string & { readonly brand: 'DestinationUrl' };

/** In characters, both as sent and as stored. */
const maxLength = 2048;

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
/** The pattern in the API description. The rule also refuses URLs that the URL parser refuses. */
const form =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\u0000-\u001f\u007f-\u009f/\\?#@]+(?:[/\\?#][^\u0000-\u001f\u007f-\u009f]*)?$/;
const urlText = text({ max: maxLength });
const tooLong = refused('too_big', `must have at most ${maxLength} characters when percent-encoded`);

/** Returns a rule for absolute http and https URLs with a host and no user info. Other schemes, such as `javascript:`, are refused. */
const urlRule = (spell: (url: URL) => string): Rule<DestinationUrl> =>
  // No `format`, because a request may send a URL such as `https://bücher.example/{a}`.
  new Rule<DestinationUrl>({ type: 'string', maxLength, pattern: describedPattern(form) }, (value) => {
    const reading = urlText.safeParse(value);
    if ('problems' in reading) return reading;
    const input = reading.value;
    // The URL parser repairs these silently: it drops control characters, trims, adds slashes and skips an empty authority.
    const repaired = controlCharacters.test(input) || input.trim() !== input || !/^https?:\/\/[^/\\?#]/i.test(input);
    const url = repaired ? null : parseUrl(input);
    if (!url) return refused('invalid_format', 'must be an absolute http or https URL');
    const authority = /^https?:\/\/([^/\\?#]*)/i.exec(input)![1]!;
    if (authority.includes('@')) return refused('invalid_format', 'must not contain a user name or password');
    const spelling = spell(url);
    return spelling.length > maxLength ? tooLong : { value: spelling as DestinationUrl };
  });

/** Normalises a URL by the WHATWG URL standard, and percent-encodes what a URI of RFC 3986 may not contain. */
export const destinationUrl = urlRule(toUri);

/**
 * Normalises a URL by the WHATWG URL standard alone. Stored URLs are read by this rule before they are served, so that they keep
 * their spelling.
 */
export const servableUrl = urlRule(({ href }) => href);

/**
 * Schemes that no destination has. They run code, read files, show parts of a browser, or open any program. `http` and `https` are
 * always allowed.
 */
const reservedSchemes = [
  'https?|javascript|jscript|livescript|mocha|vbscript|applescript|jnlps?|data|blob|filesystem',
  'file|smb|cifs|afp|nfs|content|jar|res|resource|mhtml|mk|its|ms-its|ms-help|hcp|shell',
  'about|view-source|wyciwyg|chrome|edge|opera|brave|vivaldi|[a-z-]+-extension|chrome-[a-z-]+|devtools',
  'intent|android-app|ms-msdt|ms-officecmd|ms-appinstaller|itms-services|search|ms-search|search-ms|wss?',
].join('|');

/** Reads a scheme (RFC 3986, section 3.1) that a project allows beside http and https. */
export const otherScheme = text({
  min: 1,
  max: 50,
  pattern: /^[a-z][a-z0-9+.-]*$/,
  except: new RegExp(`^(?:${reservedSchemes})$`),
  patternSays: 'be a scheme in lower case without a colon, such as mailto; schemes such as javascript are refused',
});

export const allowedSchemes = listOf(otherScheme, { maxItems: 20 });

const scheme = /^(?!(?:[^:/]*\.[^:/]*|localhost):\d)([a-z][a-z0-9+.-]*):/i;

/** Returns the scheme in lower case; an empty text without one. `shop.example.com:8080` is a host with its port. */
export const schemeOf = (url: string): string => scheme.exec(url)?.[1]!.toLowerCase() ?? '';

export const isWebUrl = (url: string): boolean => /^https?:/i.test(url);

const otherForm = /^[A-Za-z][A-Za-z0-9+.-]*:[^\u0000-\u001f\u007f-\u009f]+$/;

/** Reads a URL by the rule of the web or, if it has another scheme that is not reserved, by its form alone. */
const linkRule = (web: Rule<DestinationUrl>, spell: (url: URL) => string): Rule<DestinationUrl> =>
  new Rule<DestinationUrl>(
    { ...web.schema, pattern: `${web.schema.pattern}|${describedPattern(otherForm)}` },
    (value): ParseResult<DestinationUrl> => {
      const reading = web.safeParse(value);
      if ('value' in reading) return reading;
      const sent = urlText.tryParse(value);
      if (sent === null || !otherForm.test(sent) || sent.trim() !== sent || !otherScheme.tryParse(schemeOf(sent)))
        return reading;
      const url = parseUrl(sent);
      if (!url) return reading;
      const spelling = spell(url);
      return spelling.length > maxLength ? tooLong : { value: spelling as DestinationUrl };
    },
  );

/** Reads a destination of a link: an http or https URL, or one with another scheme, which its project must allow. */
export const linkDestination = linkRule(destinationUrl, toUri);

/** Reads a stored destination of a link before it is served, like `servableUrl`. */
export const servableDestination = linkRule(servableUrl, ({ href }) => href);
