import { isIP } from 'node:net';
import type { LevelWithSilent } from 'pino';
import { z } from 'zod';
import { type Plan, type plans, type Quotas } from '../management-api/accounts/plan';
import type { ConsoleProvider } from '../management-api/console/console-settings';
import type { IdentityProviderSettings } from '../management-api/identity-provider/identity-provider-settings';
import {
  algorithms,
  identityProviderSettings,
  isLoopback,
  keySetUrl,
  tokenText,
} from '../management-api/identity-provider/identity-provider-variables';
import { type ClickHouseMode, clickHouseModes } from '../platform/clickhouse/clickhouse-settings';
import { BadSetting } from '../shared/bad-setting';
import { parseUrl } from '../shared/url';

/** The settings of the service, read from the environment once, at the start. docs/settings.md documents them for operators. */
export interface Config {
  production: boolean;
  host: string | undefined;
  port: number;
  /** Undefined for an embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** The URL of the same database without a pooler in between, for `LISTEN`. */
  databaseDirectUrl: string | undefined;
  /** The database of the primary, if this process serves a region; `databaseUrl` is the database of the region then. */
  primaryDatabaseUrl: string | undefined;
  dataDir: string;
  /** Connections of the management API; link traffic opens half as many for itself. */
  databasePoolSize: number;
  migrateOnStart: boolean;
  apiBaseUrl: URL;
  linkBaseUrl: URL;
  /** Origins whose pages may call the management API from a browser. */
  allowedOrigins: string[];
  /** Requests of an API key or an address. */
  rateLimitPerMinute: number;
  /** Requests of a person with tokens. */
  personRateLimitPerMinute: number;
  /** Whether `/api/docs` shows the API description. */
  apiDocs: boolean;
  /** Whether `/console/` serves the web console. */
  console: boolean;
  /** Sign-in of the console at the identity provider; undefined if it takes API keys only. */
  consoleProvider: ConsoleProvider | undefined;
  /** Redis for shared rate limits; undefined if requests are counted in the process. */
  redisUrl: string | undefined;
  /** Whether this process answers the management API, link traffic or both. */
  role: 'all' | 'api' | 'traffic';
  /** Undefined if metrics are off. */
  metricsPort: number | undefined;
  /** The largest size of the link cache. */
  linkCacheBytes: number;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[];
  /** The header, in lower case, in which those proxies state the visitor's country. */
  countryHeader: string | undefined;
  recordClicks: boolean;
  /** Whole months that clicks are kept, in addition to the current one. */
  clickRetentionMonths: number;
  /** The database of ClickHouse that stores clicks; undefined if PostgreSQL does. */
  clickHouseUrl: URL | undefined;
  /** The cluster whose servers have its tables; undefined for one server. */
  clickHouseCluster: string | undefined;
  /** Which store is written and read, if ClickHouse is used. */
  clickHouseMode: ClickHouseMode;
  apiKeyPepper: string;
  /** Undefined if the management API takes API keys only. */
  identityProvider: IdentityProviderSettings | undefined;
  quotas: Record<Plan, Quotas>;
  /** Resolvers for the records of custom domains; empty for the system's. */
  dnsResolvers: string[];
  /** Apps per project, iOS and Android together. */
  appsPerProject: number;
  customDomainsPerProject: number;
  /** Infinity means no limit. */
  shortLinksPerLink: number;
  /** Milliseconds between two checks of a verified domain's record. */
  customDomainRecheckIntervalMs: number;
  /** Milliseconds that a domain stays verified without its record. */
  customDomainGraceMs: number;
  /** Whether checks of association files may request hosts outside the public internet. */
  probePrivateAddresses: boolean;
  /** Imports read APIs of installations with private addresses too. */
  importPrivateAddresses: boolean;
  /** Probes of association files per minute and account. */
  probesPerMinute: number;
  /** Former subdomains on which a project still answers. */
  formerSubdomainsPerProject: number;
  /** Subdomains of deleted projects that are reserved for an account. */
  heldSubdomainsPerAccount: number;
  /** Milliseconds of that reservation, and of the one for custom domains whose records exist. */
  subdomainHoldMs: number;
  logLevel: LevelWithSilent;
  /** The level of the log line per visit. */
  visitLogLevel: LevelWithSilent;
  /** The collector of traces; undefined if tracing is off. The SDK reads this and its other variables itself. */
  otlpEndpoint: URL | undefined;
  /** Milliseconds after SIGTERM in which new connections are accepted, until proxies have noticed. */
  shutdownDelayMs: number;
  /** Milliseconds after the delay in which requests in flight may end. */
  shutdownTimeoutMs: number;
}

const hour = 60 * 60_000;
const day = 24 * hour;

const developmentPepper = 'development-pepper-that-protects-nothing';

/** @throws BadSetting for the first variable that is invalid or missing */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new BadSetting(`${issue.path.join('.')}: ${issue.message}`);
  }
  const env = parsed.data;
  if (env.COUNTRY_HEADER !== undefined && env.TRUSTED_PROXIES.length === 0)
    throw new BadSetting('COUNTRY_HEADER: requires TRUSTED_PROXIES');
  // Any other environment, such as `staging`, has production's requirements.
  const production = !['development', 'test'].includes(env.NODE_ENV);
  if (production) refuseDevelopmentSettings(env);
  if (env.PRIMARY_DATABASE_URL !== undefined) refuseOutsideRegion(env);
  const apiKeys = env.API_KEYS_PER_ACCOUNT;
  const identityProvider = identityProviderSettings(env, production);
  return {
    production,
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    primaryDatabaseUrl: env.PRIMARY_DATABASE_URL,
    dataDir: env.DATA_DIR,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    migrateOnStart: env.MIGRATE_ON_START,
    apiBaseUrl: env.API_BASE_URL ?? new URL(`http://localhost:${env.PORT}`),
    linkBaseUrl: env.LINK_BASE_URL ?? new URL(`http://localhost:${env.PORT}`),
    allowedOrigins: env.ALLOWED_ORIGINS,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    personRateLimitPerMinute: env.PERSON_RATE_LIMIT_PER_MINUTE,
    apiDocs: env.API_DOCS,
    console: env.CONSOLE,
    consoleProvider: consoleProvider(env, identityProvider, production),
    redisUrl: env.REDIS_URL,
    role: env.ROLE,
    metricsPort: env.METRICS_PORT,
    linkCacheBytes: env.LINK_CACHE_MB * 1_000_000,
    trustedProxies: env.TRUSTED_PROXIES,
    countryHeader: env.COUNTRY_HEADER,
    recordClicks: env.RECORD_CLICKS,
    clickRetentionMonths: env.CLICK_RETENTION_MONTHS,
    clickHouseUrl: env.CLICKHOUSE_URL,
    clickHouseCluster: env.CLICKHOUSE_CLUSTER,
    clickHouseMode: env.CLICKHOUSE_MODE,
    apiKeyPepper: env.API_KEY_PEPPER ?? developmentPepper,
    identityProvider,
    quotas: {
      free: { projects: env.QUOTA_FREE_PROJECTS, dynamicLinks: env.QUOTA_FREE_DYNAMIC_LINKS, apiKeys },
      pro: { projects: env.QUOTA_PRO_PROJECTS, dynamicLinks: env.QUOTA_PRO_DYNAMIC_LINKS, apiKeys },
      enterprise: {
        projects: env.QUOTA_ENTERPRISE_PROJECTS,
        dynamicLinks: env.QUOTA_ENTERPRISE_DYNAMIC_LINKS,
        apiKeys,
      },
    } satisfies Record<(typeof plans)[number], Quotas>,
    dnsResolvers: env.DNS_RESOLVERS,
    appsPerProject: env.APPS_PER_PROJECT,
    customDomainsPerProject: env.CUSTOM_DOMAINS_PER_PROJECT,
    shortLinksPerLink: env.SHORT_LINKS_PER_LINK,
    customDomainRecheckIntervalMs: env.CUSTOM_DOMAIN_RECHECK_HOURS * hour,
    customDomainGraceMs: env.CUSTOM_DOMAIN_GRACE_DAYS * day,
    probePrivateAddresses: env.PROBE_PRIVATE_ADDRESSES,
    importPrivateAddresses: env.IMPORT_PRIVATE_ADDRESSES,
    probesPerMinute: env.PROBES_PER_MINUTE,
    formerSubdomainsPerProject: env.FORMER_SUBDOMAINS_PER_PROJECT,
    heldSubdomainsPerAccount: env.HELD_SUBDOMAINS_PER_ACCOUNT,
    subdomainHoldMs: env.SUBDOMAIN_HOLD_DAYS * day,
    logLevel: env.LOG_LEVEL,
    visitLogLevel: env.VISIT_LOG_LEVEL,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_SECONDS * 1000,
  };
}

/**
 * @throws BadSetting if the provider is unknown, or its issuer is no URL, because browsers find its endpoints there. In production
 *   the URL needs https, except on loopback addresses, because browsers send codes and tokens there.
 */
function consoleProvider(
  env: Pick<z.infer<typeof variables>, 'CONSOLE_CLIENT_ID' | 'CONSOLE_SCOPE'>,
  provider: IdentityProviderSettings | undefined,
  production: boolean,
): ConsoleProvider | undefined {
  const { CONSOLE_CLIENT_ID: clientId, CONSOLE_SCOPE: scope } = env;
  if (clientId === undefined) return undefined;
  if (!provider)
    throw new BadSetting(
      'CONSOLE_CLIENT_ID: requires DASHBOARD_ISSUER and the other settings of the identity provider',
    );
  const issuer = parseUrl(provider.issuer);
  if (!issuer || !['http:', 'https:'].includes(issuer.protocol))
    throw new BadSetting('CONSOLE_CLIENT_ID: requires a DASHBOARD_ISSUER that is an http or https URL');
  if (production && issuer.protocol === 'http:' && !isLoopback(issuer))
    throw new BadSetting(
      'CONSOLE_CLIENT_ID: requires a DASHBOARD_ISSUER with https, unless NODE_ENV is development or test',
    );
  const keySet = 'url' in provider.keySet ? [provider.keySet.url.origin] : [];
  const origins = [...new Set([issuer.origin, ...keySet])];
  return { issuer: provider.issuer, clientId, scope, audience: provider.audience, origins };
}

/** @throws BadSetting because only visits are served from the database of a region */
function refuseOutsideRegion(env: z.infer<typeof variables>): void {
  if (env.ROLE !== 'traffic')
    throw new BadSetting('PRIMARY_DATABASE_URL: requires ROLE=traffic, because a region serves link traffic only');
  if (env.DATABASE_URL === undefined)
    throw new BadSetting('PRIMARY_DATABASE_URL: requires DATABASE_URL, the database of the region');
  if (env.CLICKHOUSE_MODE !== 'only')
    throw new BadSetting(
      'CLICKHOUSE_MODE: a region writes one store; unset it, or unset CLICKHOUSE_URL until clicks have moved',
    );
}

function refuseDevelopmentSettings(env: z.infer<typeof variables>): void {
  if (!env.API_KEY_PEPPER) throw new BadSetting('API_KEY_PEPPER: is required unless NODE_ENV is development or test');
  if (env.API_KEY_PEPPER === developmentPepper)
    throw new BadSetting('API_KEY_PEPPER: the development value protects nothing; set a random secret');
  if (env.API_KEY_PEPPER.length < 32) throw new BadSetting('API_KEY_PEPPER: must have at least 32 characters');
  if (!env.DATABASE_URL && !env.ALLOW_EMBEDDED_DATABASE)
    throw new BadSetting(
      'DATABASE_URL: is required unless NODE_ENV is development or test (or set ALLOW_EMBEDDED_DATABASE=true to run on the embedded one)',
    );
}

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

const origin = z.string().transform((value, context) => {
  const url = parseUrl(value);
  const plain = url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (plain && !url.username && !url.password) return url;
  context.addIssue({ code: 'custom', message: 'must be an http or https origin such as https://go.example.com' });
  return z.NEVER;
});

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

const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  message: 'must be one of fatal, error, warn, info, debug, trace, silent',
});

const databaseUrl = z
  .string()
  .refine((value) => /^postgres(ql)?:\/\/\S+$/.test(value) && parseUrl(value.replace(/@\//, '@localhost/')) !== null, {
    message: 'must be a PostgreSQL connection URL such as postgres://user:password@host:5432/database',
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

/** Accepts the serialisation that browsers send, because any other spelling would never match a request. */
const isSentOrigin = (text: string): boolean => /^https?:[^*]*$/.test(text) && parseUrl(text)?.origin === text;

const origins = list
  .refine((items) => items.every(isSentOrigin), {
    message:
      'must be origins as browsers send them, such as https://dashboard.example.com, separated by commas: in lower case, without path and default port',
  })
  .transform((items) => [...new Set(items)])
  .default([]);

const variables = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().optional(),
  PORT: wholeNumber(0, 65_535, 3000),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  PRIMARY_DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000, 16),
  MIGRATE_ON_START: yesOrNo(true),
  ALLOW_EMBEDDED_DATABASE: yesOrNo(false),
  API_BASE_URL: origin.optional(),
  LINK_BASE_URL: origin
    .refine((url) => isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && !url.hostname.endsWith('.'), {
      message: 'must name a domain: projects are subdomains of it',
    })
    .optional(),
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
  QUOTA_FREE_PROJECTS: quota(1),
  QUOTA_FREE_DYNAMIC_LINKS: quota(100),
  QUOTA_PRO_PROJECTS: quota(10),
  QUOTA_PRO_DYNAMIC_LINKS: quota(10_000),
  QUOTA_ENTERPRISE_PROJECTS: quota(Infinity),
  QUOTA_ENTERPRISE_DYNAMIC_LINKS: quota(Infinity),
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
  ROLE: z.enum(['all', 'api', 'traffic'], { message: 'must be all, api or traffic' }).default('all'),
});
