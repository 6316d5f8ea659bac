import { isIP } from 'node:net';
import { z } from 'zod';
import { parseUrl } from '../../shared/url';
import { isSentOrigin } from './origin-variables';

export const givenNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .refine((value) => /^[0-9]+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum, {
      message: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .transform(Number);

export const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  givenNumber(minimum, maximum).default(fallback);

export const yesOrNo = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { message: 'must be true or false' })
    .transform((value) => value === 'true')
    .default(fallback);

export const quota = (fallback: number) =>
  z
    .string()
    .refine((value) => value === 'unlimited' || (/^[0-9]{1,9}$/.test(value) && Number(value) >= 0), {
      message: 'must be a whole number, or "unlimited"',
    })
    .transform((value) => (value === 'unlimited' ? Infinity : Number(value)))
    .default(fallback);

/** @param accepts gets the URL, and its text as it is set */
export const checkedUrl = (message: string, accepts: (url: URL, text: string) => boolean) =>
  z.string().transform((text, context) => {
    const url = parseUrl(text);
    if (url && accepts(url, text)) return url;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const isPlain = ({ search, hash }: URL, text: string): boolean => /^https?:\/\/\S+$/.test(text) && !search && !hash;

/** Parses a URL that may have a path. The SDK would ignore an invalid one without an error. */
export const collector = checkedUrl(
  'must be the http or https URL of an OTLP collector, such as http://collector:4318, without credentials',
  (url, text) => isPlain(url, text) && !url.username && !url.password,
);

/** Accepts a name with at least two labels (RFC 1123, section 2.1), also one inside a network. */
export const hostName = z
  .string()
  .refine(
    (value) =>
      value.length <= 253 &&
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(value),
    { message: 'must be a host name such as edge.example.net, without scheme and port' },
  )
  .transform((value) => value.toLowerCase());

export const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  message: 'must be one of fatal, error, warn, info, debug, trace, silent',
});

export const clickHouseUrl = checkedUrl(
  'must be the http or https URL of a database of ClickHouse, such as http://user:password@host:8123/signpost',
  (url, text) => isPlain(url, text) && /^\/[A-Za-z0-9_]+$/.test(url.pathname),
);

export const bucketUrl = checkedUrl(
  'must be the http or https URL of a bucket with the percent-encoded access key, such as https://KEY:SECRET@s3.eu-central-1.amazonaws.com/pictures',
  (url, text) => isPlain(url, text) && isDecodable(url),
);

/** Returns whether the URL has credentials that are percent-encoded UTF-8. */
function isDecodable({ username, password }: URL): boolean {
  try {
    return [username, password].every((part) => decodeURIComponent(part) !== '');
  } catch {
    return false;
  }
}

export const region = z
  .string()
  .regex(/^[a-z0-9-]{1,50}$/, { message: 'must be the name of a region such as eu-central-1' });

/** Accepts what Express takes for `trust proxy`, because Express reports an invalid value without the variable's name. */
function isAddressOrRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [, address = '', prefix] = /^([0-9a-f.:]+)(?:\/([1-9][0-9]{0,2}))?$/i.exec(text) ?? [];
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  return bits !== undefined && Number(prefix ?? bits) <= bits;
}

/** Accepts what Node's resolver takes for a server: an address, with a port if needed, and then IPv6 in brackets. */
function isServer(text: string): boolean {
  const [, v6, v4, port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::([0-9]{1,5}))?$/i.exec(text) ?? [];
  const addressed = v6 !== undefined ? isIP(v6) === 6 : v4 !== undefined ? isIP(v4) === 4 : isIP(text) === 6;
  return addressed && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
}

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

export const servers = list
  .refine((items) => items.every(isServer), {
    message: 'must be addresses such as 10.0.0.53 or [fd00::53]:5353, separated by commas',
  })
  .default([]);

export const addresses = list
  .refine((items) => items.every(isAddressOrRange), {
    message: 'must be addresses or CIDR ranges, separated by commas',
  })
  .default([]);

export const origins = list
  .refine((items) => items.every(isSentOrigin), {
    message:
      'must be origins as browsers send them, such as https://dashboard.example.com, separated by commas: in lower case, without path and default port',
  })
  .transform((items) => [...new Set(items)])
  .default([]);
