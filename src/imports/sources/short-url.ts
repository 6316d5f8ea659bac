import { refused, Rule, wrongType } from '../../shared/rule';
import { parseUrl } from '../../shared/url';

interface ShortUrl {
  /** In lower case, without a port. */
  host: string;
  /** As written, without the slashes at its begin and end; the rule of paths has not been applied. */
  path: string;
}

/** Reads `https://go.example.com/sale`, or the same without a scheme. */
export const shortUrl = new Rule<ShortUrl>({ type: 'string' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  const text = value.trim();
  const [, authority, path] = /^(?:https?:\/\/)?([^/\\?#\s]+)(?:\/([^\\?#\s]*?)\/?)?$/i.exec(text) ?? [];
  const url = authority === undefined ? null : parseUrl(`https://${authority}/`);
  if (!url || /@|:$/.test(authority!))
    return refused('invalid_format', 'must be a URL such as https://go.example.com/sale, without a query');
  if (!path) return refused('invalid_format', 'is the root of a host, where no link can be');
  return { value: { host: url.hostname, path } };
});
