import { isIP } from 'node:net';
import { z } from 'zod';
import { parseUrl } from '../../shared/url';

/**
 * Refuses a final dot, which no comparison with the host of a request would find. Returns whether all labels have letters,
 * digits and hyphens (RFC 5890, "LDH label"), as those of names in the DNS that serve web pages.
 */
const isHostname = (name: string): boolean =>
  name.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));

export const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

export const origin = z.string().transform((value, context) => {
  const url = parseUrl(value);
  const plain = url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  const isOrigin = plain && !url.username && !url.password;
  if (isOrigin && (isAddress(url.hostname) || isHostname(url.hostname))) return url;
  const message = isOrigin
    ? 'must name a host of letters, digits and hyphens, such as https://go.example.com; name the domain without "*."'
    : 'must be an http or https origin such as https://go.example.com';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Accepts the serialisation that browsers send, because any other spelling would never match a request. */
export const isSentOrigin = (text: string): boolean => /^https?:[^*]*$/.test(text) && parseUrl(text)?.origin === text;
