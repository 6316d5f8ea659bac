/**
 * Parses an absolute URL; returns null if the text is not one. `URL.canParse` fails here: in Node 20 and 22 it returns false
 * for Latin-1 characters, as in `https://bücher.example`, after some thousand calls.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/**
 * Returns a URL as a URI of RFC 3986, which other libraries can read. The WHATWG URL standard leaves characters such as `{`, `|` and `[`,
 * and each `%` that encodes nothing, in path, query and fragment.
 */
export function toUri({ href }: URL): string {
  // Not the origin, which has no user name, and which schemes of other systems than the web lack.
  const start = /[^:]*:(?:\/\/[^/?#]*)?/.exec(href)![0];
  const [rest, ...fragment] = href.slice(start.length).split('#') as [string, ...string[]];
  return start + [rest, ...(fragment.length > 0 ? [fragment.join('%23')] : [])].map(encodeExcluded).join('#');
}

const encodeExcluded = (text: string): string =>
  text.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]|%(?![0-9A-Fa-f]{2})/g, (char) => encodeURIComponent(char));
