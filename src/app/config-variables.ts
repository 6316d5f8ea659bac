import { isIP } from 'node:net';
import { z } from 'zod';
import { clickHouseModes } from '../platform/clickhouse/clickhouse-settings';
import { parseUrl } from '../shared/url';
import { databaseUrlVariable } from './database-url-variable';
import { algorithms, groupRoles, keySetUrl, tokenText } from './identity-provider-variables';
import { isAddress, origin, isSentOrigin } from './origin-variables';

const givenNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .refine((value) => /^[0-9]+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum, {
      message: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .transform(Number);

const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  givenNumber(minimum, maximum).default(fallback);

const yesOrNo = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { message: 'must be true or false' })
    .transform((value) => value === 'true')
    .default(fallback);

const quota = (fallback: number) =>
  z
    .string()
    .refine((value) => value === 'unlimited' || (/^[0-9]{1,9}$/.test(value) && Number(value) >= 0), {
      message: 'must be a whole number, or "unlimited"',
    })
    .transform((value) => (value === 'unlimited' ? Infinity : Number(value)))
    .default(fallback);

/** Parses a URL that may have a path. The SDK would ignore an invalid one without an error. */
const collector = z.string().transform((value, context) => {
  const url = /^https?:\/\/\S+$/.test(value) ? parseUrl(value) : null;
  if (url && !url.search && !url.hash && !url.username && !url.password) return url;
  context.addIssue({
    code: 'custom',
    message: 'must be the http or https URL of an OTLP collector, such as http://collector:4318, without credentials',
  });
  return z.NEVER;
});

/** Accepts a name with at least two labels (RFC 1123, section 2.1), also one inside a network. */
const hostName = z
  .string()
  .refine(
    (value) =>
      value.length <= 253 &&
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(value),
    { message: 'must be a host name such as edge.example.net, without scheme and port' },
  )
  .transform((value) => value.toLowerCase());

const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  message: 'must be one of fatal, error, warn, info, debug, trace, silent',
});

const clickHouseUrl = z.string().transform((value, context) => {
  const url = /^https?:\/\/\S+$/.test(value) ? parseUrl(value) : null;
  if (url && /^\/[A-Za-z0-9_]+$/.test(url.pathname) && !url.search && !url.hash) return url;
  context.addIssue({
    code: 'custom',
    message:
      'must be the http or https URL of a database of ClickHouse, such as http://user:password@host:8123/signpost',
  });
  return z.NEVER;
});

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

const servers = list
  .refine((items) => items.every(isServer), {
    message: 'must be addresses such as 10.0.0.53 or [fd00::53]:5353, separated by commas',
  })
  .default([]);

const addresses = list
  .refine((items) => items.every(isAddressOrRange), {
    message: 'must be addresses or CIDR ranges, separated by commas',
  })
  .default([]);

const origins = list
  .refine((items) => items.every(isSentOrigin), {
    message:
      'must be origins as browsers send them, such as https://dashboard.example.com, separated by commas: in lower case, without path and default port',
  })
  .transform((items) => [...new Set(items)])
  .default([]);

/** The variables of the environment that the service reads, with their defaults. docs/settings.md describes them. */
export const variables = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().optional(),
  PORT: wholeNumber(0, 65_535, 3000),
  DATABASE_URL: databaseUrlVariable.optional(),
  DATABASE_DIRECT_URL: databaseUrlVariable.optional(),
  PRIMARY_DATABASE_URL: databaseUrlVariable.optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000, 16),
  MIGRATE_ON_START: yesOrNo(true),
  ALLOW_EMBEDDED_DATABASE: yesOrNo(false),
  API_BASE_URL: origin.optional(),
  LINK_BASE_URL: origin
    .refine((url) => !isAddress(url.hostname), { message: 'must name a domain: projects are subdomains of it' })
    .optional(),
  LINK_TARGET_HOST: hostName.optional(),
  ALLOWED_ORIGINS: origins,
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000_000, 60),
  PERSON_RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000_000, 600),
  API_DOCS: yesOrNo(true),
  CONSOLE: yesOrNo(true),
  CONSOLE_CLIENT_ID: tokenText.optional(),
  CONSOLE_SCOPE: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}(?: [\x21-\x7e]{1,200}){0,20}$/, {
      message: 'must be scopes of the identity provider, such as "openid email", separated by single spaces',
    })
    .default('openid'),
  LINK_CACHE_MB: wholeNumber(1, 100_000, 64),
  TRUSTED_PROXIES: addresses,
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/, { message: 'must be the name of a header such as CF-IPCountry' })
    .transform((name) => name.toLowerCase())
    .optional(),
  RECORD_CLICKS: yesOrNo(true),
  CLICK_RETENTION_MONTHS: wholeNumber(1, 120, 13),
  CLICKHOUSE_URL: clickHouseUrl.optional(),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z0-9_.{}-]{1,100}$/, { message: 'must be the name of a cluster of ClickHouse' })
    .optional(),
  CLICKHOUSE_MODE: z.enum(clickHouseModes, { message: 'must be only, write or read' }).default('only'),
  API_KEY_PEPPER: z.string().optional(),
  API_KEYS_PER_ACCOUNT: quota(100),
  DASHBOARD_JWKS_URL: keySetUrl.optional(),
  DASHBOARD_JWKS_FILE: z.string().optional(),
  DASHBOARD_ISSUER: tokenText.optional(),
  DASHBOARD_AUDIENCE: tokenText.optional(),
  DASHBOARD_ALGORITHMS: algorithms.optional(),
  DASHBOARD_CLOCK_SKEW_SECONDS: givenNumber(0, 300).optional(),
  DASHBOARD_USER_CLAIM: tokenText.optional(),
  DASHBOARD_ACCOUNT_CLAIM: tokenText.optional(),
  DASHBOARD_EMAIL_CLAIM: tokenText.optional(),
  DASHBOARD_ROLES_SOURCE: z.enum(['provider', 'members']).optional(),
  DASHBOARD_ROLES_CLAIM: tokenText.optional(),
  DASHBOARD_ROLES: groupRoles.optional(),
  QUOTA_FREE_PROJECTS: quota(1),
  QUOTA_FREE_DYNAMIC_LINKS: quota(100),
  QUOTA_FREE_IMPORT_MB: quota(100),
  QUOTA_PRO_PROJECTS: quota(10),
  QUOTA_PRO_DYNAMIC_LINKS: quota(10_000),
  QUOTA_PRO_IMPORT_MB: quota(1000),
  QUOTA_ENTERPRISE_PROJECTS: quota(Infinity),
  QUOTA_ENTERPRISE_DYNAMIC_LINKS: quota(Infinity),
  QUOTA_ENTERPRISE_IMPORT_MB: quota(10_000),
  DNS_RESOLVERS: servers,
  APPS_PER_PROJECT: wholeNumber(0, 1000, 100),
  CUSTOM_DOMAINS_PER_PROJECT: wholeNumber(0, 1000, 10),
  SHORT_LINKS_PER_LINK: quota(Infinity),
  CUSTOM_DOMAIN_RECHECK_HOURS: wholeNumber(1, 24 * 30, 24),
  CUSTOM_DOMAIN_GRACE_DAYS: wholeNumber(0, 365, 7),
  PROBE_PRIVATE_ADDRESSES: yesOrNo(false),
  IMPORT_PRIVATE_ADDRESSES: yesOrNo(false),
  PROBES_PER_MINUTE: wholeNumber(0, 10_000, 10),
  FORMER_SUBDOMAINS_PER_PROJECT: wholeNumber(0, 1000, 20),
  HELD_SUBDOMAINS_PER_ACCOUNT: wholeNumber(0, 1_000_000, 1000),
  SUBDOMAIN_HOLD_DAYS: wholeNumber(0, 3650, 90),
  LOG_LEVEL: logLevel.default('info'),
  VISIT_LOG_LEVEL: logLevel.default('debug'),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 600, 0),
  SHUTDOWN_TIMEOUT_SECONDS: wholeNumber(1, 600, 20),
  REDIS_URL: z
    .string()
    .refine((value) => /^rediss?:\/\/\S+$/.test(value) && parseUrl(value) !== null, {
      message: 'must be a Redis URL such as redis://:password@host:6379 or rediss://…',
    })
    .optional(),
  METRICS_PORT: givenNumber(0, 65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  ROLE: z.enum(['all', 'api', 'traffic', 'import'], { message: 'must be all, api, traffic or import' }).default('all'),
  IMPORT_PROCESS: z.enum(['child', 'separate'], { message: 'must be child or separate' }).default('child'),
});

export type Variables = z.infer<typeof variables>;
