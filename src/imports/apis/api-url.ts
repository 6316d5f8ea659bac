import { isIP } from 'node:net';
import { refused, Rule, wrongType } from '../../shared/rule';
import { text } from '../../shared/text';
import { parseUrl } from '../../shared/url';

const urlText = text({ min: 1, max: 500 });

/** Reads the address of an installation, such as `https://links.example.com` or `https://example.com/yourls`. */
export const apiUrl = new Rule<string>({ ...urlText.schema, pattern: '^https://' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  const reading = urlText.safeParse(value);
  if ('problems' in reading) return reading;
  const url = parseUrl(reading.value);
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  const isNamed = url !== null && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  if (!reading.value.startsWith('https://') || !isPlain || !isNamed)
    return refused('invalid_format', 'must be an https URL with a host name, without user name, query and fragment');
  return { value: reading.value };
});

export function urlBelow(base: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = new URLSearchParams(query).toString();
  return url;
}
