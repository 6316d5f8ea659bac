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
const malformed = refused('invalid_format', 'must be an absolute http or https URL');

type Spell = (url: URL) => string;

/** Returns the spelling of the WHATWG URL standard. */
const whatwg: Spell = ({ href }) => href;

const urlRule = (pattern: string, read: (sent: string) => ParseResult<DestinationUrl>): Rule<DestinationUrl> =>
  // No `format`, because a request may send a URL such as `https://bücher.example/{a}`.
  new Rule<DestinationUrl>({ type: 'string', maxLength, pattern }, (value) => {
    const reading = urlText.safeParse(value);
    return 'problems' in reading ? reading : read(reading.value);
  });

function spelled(url: URL, spell: Spell): ParseResult<DestinationUrl> {
  const spelling = spell(url);
  return spelling.length > maxLength
    ? refused('too_big', `must have at most ${maxLength} characters when percent-encoded`)
    : { value: spelling as DestinationUrl };
}

/** Reads an absolute http or https URL with a host and no user info. Other schemes, such as `javascript:`, are refused. */
function readWebUrl(sent: string, spell: Spell): ParseResult<DestinationUrl> {
  // The URL parser repairs these silently: it drops control characters, trims, adds slashes and skips an empty authority.
  const authority = /^https?:\/\/([^/\\?#]+)/i.exec(sent)?.[1];
  if (authority === undefined || controlCharacters.test(sent) || sent.trim() !== sent) return malformed;
  const url = parseUrl(sent);
  if (!url) return malformed;
  if (authority.includes('@')) return refused('invalid_format', 'must not contain a user name or password');
  return spelled(url, spell);
}

/** Normalises a URL by the WHATWG URL standard, and percent-encodes what a URI of RFC 3986 may not contain. */
export const destinationUrl = urlRule(describedPattern(form), (sent) => readWebUrl(sent, toUri));

/** Stored URLs are read by this rule before they are served, so that they keep their spelling. */
export const servableUrl = urlRule(describedPattern(form), (sent) => readWebUrl(sent, whatwg));

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

/** The pattern in the API description of URLs with any scheme. */
const linkPattern = `${describedPattern(form)}|${describedPattern(otherForm)}`;

/** Reads a URL of the web or, if it has another scheme that is not reserved, by its form alone. */
function readLinkUrl(sent: string, spell: Spell): ParseResult<DestinationUrl> {
  const isOther = otherScheme.tryParse(schemeOf(sent)) !== null && otherForm.test(sent) && sent.trim() === sent;
  const url = isOther ? parseUrl(sent) : null;
  return url ? spelled(url, spell) : readWebUrl(sent, spell);
}

/** Reads a destination of a link: an http or https URL, or one with another scheme, which its project must allow. */
export const linkDestination = urlRule(linkPattern, (sent) => readLinkUrl(sent, toUri));

/** Reads a stored destination of a link before it is served, like `servableUrl`. */
export const servableDestination = urlRule(linkPattern, (sent) => readLinkUrl(sent, whatwg));
