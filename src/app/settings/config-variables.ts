import { z } from 'zod';
import { keptAddresses } from '../../tenancy/journal/journal-settings';
import { clickHouseModes } from '../../platform/clickhouse/clickhouse-settings';
import { parseUrl } from '../../shared/url';
import { databaseUrlVariable } from './database-url-variable';
import { identityProvider, tokenText } from './identity-provider-variables';
import { isAddress, origin } from './origin-variables';
import { env } from './setting';
import * as value from './setting-values';

const megabyte = 1_000_000;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

const times = (factor: number, rule: z.ZodType<number>) => rule.transform((count) => count * factor);

const migrateOnStart = env('MIGRATE_ON_START', value.yesOrNo(true));

const clickHouseMode = z.enum(clickHouseModes, { message: 'must be only, write or read' }).default('only');

const holdTimeMs = env('SUBDOMAIN_HOLD_DAYS', times(dayMs, value.wholeNumber(0, 3650, 90)));

const quotas = (
  plan: string,
  [projects, dynamicLinks]: [number, number],
  [importMegabytes, pictureMegabytes]: [number, number],
) => ({
  projects: env(`QUOTA_${plan}_PROJECTS`, value.quota(projects)),
  dynamicLinks: env(`QUOTA_${plan}_DYNAMIC_LINKS`, value.quota(dynamicLinks)),
  importBytes: env(`QUOTA_${plan}_IMPORT_MB`, times(megabyte, value.quota(importMegabytes))),
  pictureBytes: env(`QUOTA_${plan}_PICTURE_MB`, times(megabyte, value.quota(pictureMegabytes))),
  apiKeys: env('API_KEYS_PER_ACCOUNT', value.quota(100)),
});

/** The settings of the service, in groups for the parts that get them. docs/settings.md describes them for operators. */
export const settings = {
  environment: env('NODE_ENV', z.string().default('development')),
  host: env('HOST', z.string().optional()),
  port: env('PORT', value.wholeNumber(0, 65_535, 3000)),
  /** Undefined for an embedded PostgreSQL under `dataDir`. */
  databaseUrl: env('DATABASE_URL', databaseUrlVariable.optional()),
  /** The URL of the same database without a pooler in between, for `LISTEN`. */
  databaseDirectUrl: env('DATABASE_DIRECT_URL', databaseUrlVariable.optional()),
  /** The database of the primary, if this process serves a region; `databaseUrl` is the database of the region then. */
  primaryDatabaseUrl: env('PRIMARY_DATABASE_URL', databaseUrlVariable.optional()),
  dataDir: env('DATA_DIR', z.string().default('.data')),
  allowEmbeddedDatabase: env('ALLOW_EMBEDDED_DATABASE', value.yesOrNo(false)),
  /** Connections of the management API; link traffic opens half as many for itself. */
  databasePoolSize: env('DATABASE_POOL_SIZE', value.wholeNumber(1, 1000, 16)),
  migrateOnStart,
  apiBaseUrl: env('API_BASE_URL', origin.optional()),
  linkBaseUrl: env(
    'LINK_BASE_URL',
    origin
      .refine((url) => !isAddress(url.hostname), { message: 'must name a domain: projects are subdomains of it' })
      .optional(),
  ),
  /** Origins whose pages may call the management API from a browser. */
  allowedOrigins: env('ALLOWED_ORIGINS', value.origins),
  rateLimit: {
    perMinute: env('RATE_LIMIT_PER_MINUTE', value.wholeNumber(1, 1_000_000_000, 60)),
    perMinuteOfPerson: env('PERSON_RATE_LIMIT_PER_MINUTE', value.wholeNumber(1, 1_000_000_000, 600)),
    redisUrl: env(
      'REDIS_URL',
      z
        .string()
        .refine((url) => /^rediss?:\/\/\S+$/.test(url) && parseUrl(url) !== null, {
          message: 'must be a Redis URL such as redis://:password@host:6379 or rediss://…',
        })
        .optional(),
    ),
  },
  apiDocs: env('API_DOCS', value.yesOrNo(true)),
  console: env('CONSOLE', value.yesOrNo(true)),
  consoleClient: {
    clientId: env('CONSOLE_CLIENT_ID', tokenText.optional()),
    scope: env(
      'CONSOLE_SCOPE',
      z
        .string()
        .regex(/^[\x21-\x7e]{1,200}(?: [\x21-\x7e]{1,200}){0,20}$/, {
          message: 'must be scopes of the identity provider, such as "openid email", separated by single spaces',
        })
        .default('openid'),
    ),
  },
  linkTraffic: {
    linkCacheBytes: env('LINK_CACHE_MB', times(megabyte, value.wholeNumber(1, 100_000, 64))),
    trustedProxies: env('TRUSTED_PROXIES', value.addresses),
    countryHeader: env(
      'COUNTRY_HEADER',
      z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/, { message: 'must be the name of a header such as CF-IPCountry' })
        .transform((name) => name.toLowerCase())
        .optional(),
    ),
    countryDatabase: env('COUNTRY_DATABASE', z.string().max(1000).optional()),
    browserEscapesFile: env('BROWSER_ESCAPES_FILE', z.string().max(1000).optional()),
    visitLogLevel: env('VISIT_LOG_LEVEL', value.logLevel.default('debug')),
  },
  clicks: {
    record: env('RECORD_CLICKS', value.yesOrNo(true)),
    retentionMonths: env('CLICK_RETENTION_MONTHS', value.wholeNumber(1, 120, 13)),
    migrate: migrateOnStart,
    writesBoth: env(
      'CLICKHOUSE_MODE',
      clickHouseMode.transform((mode) => mode !== 'only'),
    ),
  },
  clickHouse: {
    url: env('CLICKHOUSE_URL', value.clickHouseUrl.optional()),
    mode: env('CLICKHOUSE_MODE', clickHouseMode),
  },
  pictures: {
    url: env('PICTURES_S3_URL', value.bucketUrl.optional()),
    region: env('PICTURES_S3_REGION', value.region.default('us-east-1')),
  },
  journal: {
    retentionMonths: env('JOURNAL_RETENTION_MONTHS', value.wholeNumber(1, 120, 24)),
    addresses: env(
      'JOURNAL_ADDRESSES',
      z.enum(keptAddresses, { message: 'must be whole, shortened or none' }).default('shortened'),
    ),
  },
  apiKeyPepper: env('API_KEY_PEPPER', z.string().optional()),
  identityProvider,
  quotas: {
    free: quotas('FREE', [1, 100], [100, 20]),
    pro: quotas('PRO', [10, 10_000], [1000, 1000]),
    enterprise: quotas('ENTERPRISE', [Infinity, Infinity], [10_000, 10_000]),
  },
  dns: { resolvers: env('DNS_RESOLVERS', value.servers) },
  apps: { perProject: env('APPS_PER_PROJECT', value.wholeNumber(0, 1000, 100)) },
  domains: {
    perProject: env('CUSTOM_DOMAINS_PER_PROJECT', value.wholeNumber(0, 1000, 10)),
    recheckIntervalMs: env('CUSTOM_DOMAIN_RECHECK_HOURS', times(hourMs, value.wholeNumber(1, 24 * 30, 24))),
    graceMs: env('CUSTOM_DOMAIN_GRACE_DAYS', times(dayMs, value.wholeNumber(0, 365, 7))),
    holdTimeMs,
    linkTargetHost: env(
      'LINK_TARGET_HOST',
      value.hostName.optional().transform((host) => host ?? null),
    ),
  },
  shortLinks: { perDynamicLink: env('SHORT_LINKS_PER_LINK', value.quota(Infinity)) },
  probes: {
    allowPrivateAddresses: env('PROBE_PRIVATE_ADDRESSES', value.yesOrNo(false)),
    perMinute: env('PROBES_PER_MINUTE', value.wholeNumber(0, 10_000, 10)),
  },
  webhooks: { allowPrivateAddresses: env('WEBHOOK_PRIVATE_ADDRESSES', value.yesOrNo(false)) },
  importApis: { allowPrivateAddresses: env('IMPORT_PRIVATE_ADDRESSES', value.yesOrNo(false)) },
  reservations: {
    holdTimeMs,
    heldPerAccount: env('HELD_SUBDOMAINS_PER_ACCOUNT', value.wholeNumber(0, 1_000_000, 1000)),
    formerPerProject: env('FORMER_SUBDOMAINS_PER_PROJECT', value.wholeNumber(0, 1000, 20)),
  },
  logLevel: env('LOG_LEVEL', value.logLevel.default('info')),
  /** The collector of traces; undefined if tracing is off. The SDK reads this and its other variables itself. */
  otlpEndpoint: env('OTEL_EXPORTER_OTLP_ENDPOINT', value.collector.optional()),
  /** Milliseconds after SIGTERM in which new connections are accepted, until proxies have noticed. */
  shutdownDelayMs: env('SHUTDOWN_DELAY_SECONDS', times(1000, value.wholeNumber(0, 600, 0))),
  /** Milliseconds after the delay in which requests in flight may end. */
  shutdownTimeoutMs: env('SHUTDOWN_TIMEOUT_SECONDS', times(1000, value.wholeNumber(1, 600, 20))),
  /** Undefined if metrics are off. */
  metricsPort: env('METRICS_PORT', value.givenNumber(0, 65_535).optional()),
  /** Whether this process answers the management API, link traffic or both, or runs imports. */
  role: env(
    'ROLE',
    z.enum(['all', 'api', 'traffic', 'import'], { message: 'must be all, api, traffic or import' }).default('all'),
  ),
  /** Whether a process of the API starts one for imports while there are some, or leaves them to processes of `ROLE=import`. */
  importProcess: env(
    'IMPORT_PROCESS',
    z.enum(['child', 'separate'], { message: 'must be child or separate' }).default('child'),
  ),
};
