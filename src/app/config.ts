import type { plans, Quotas } from '../tenancy/accounts/plan';
import type { ConsoleProvider } from '../management-api/console/console-settings';
import type { IdentityProviderSettings } from '../tenancy/identity-provider/identity-provider-settings';
import { BadSetting } from '../shared/bad-setting';
import { parseUrl } from '../shared/url';
import { type Variables, variables } from './config-variables';
import { identityProviderSettings, isLoopback, roleSettings } from './identity-provider-variables';

/** The settings of the service, read from the environment once, at the start. docs/settings.md documents them for operators. */
export type Config = ReturnType<typeof readConfig>;

const hour = 60 * 60_000;
const day = 24 * hour;

/** A random secret of 32 characters has more different ones, also in hexadecimal. */
const minPepperCharacters = 10;

const developmentPepper = 'development-pepper-that-protects-nothing';

/** Returns the environment of this process with other values, for a child process. */
export const environmentWith = (values: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...process.env, ...values });

/** @throws BadSetting for the first variable that is invalid or missing */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = variables.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new BadSetting(`${issue.path.join('.')}: ${issue.message}`);
  }
  const env = parsed.data;
  if (env.COUNTRY_HEADER !== undefined && env.TRUSTED_PROXIES.length === 0)
    throw new BadSetting('COUNTRY_HEADER: requires TRUSTED_PROXIES');
  if (env.METRICS_PORT === env.PORT && env.PORT !== 0)
    throw new BadSetting(`METRICS_PORT: must differ from PORT, which is ${env.PORT} too`);
  // Any other environment, such as `staging`, has production's requirements.
  const production = !['development', 'test'].includes(env.NODE_ENV);
  if (production) refuseDevelopmentSettings(env);
  if (env.PRIMARY_DATABASE_URL !== undefined) refuseOutsideRegion(env);
  const quotas = (projects: number, dynamicLinks: number, importMegabytes: number): Quotas => {
    const importBytes = importMegabytes * 1_000_000;
    return { projects, dynamicLinks, importBytes, apiKeys: env.API_KEYS_PER_ACCOUNT };
  };
  const identityProvider = identityProviderSettings(env, production);
  return {
    production,
    host: env.HOST,
    port: env.PORT,
    /** Undefined for an embedded PostgreSQL under `dataDir`. */
    databaseUrl: env.DATABASE_URL,
    /** The URL of the same database without a pooler in between, for `LISTEN`. */
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    /** The database of the primary, if this process serves a region; `databaseUrl` is the database of the region then. */
    primaryDatabaseUrl: env.PRIMARY_DATABASE_URL,
    dataDir: env.DATA_DIR,
    /** Connections of the management API; link traffic opens half as many for itself. */
    databasePoolSize: env.DATABASE_POOL_SIZE,
    migrateOnStart: env.MIGRATE_ON_START,
    apiBaseUrl: env.API_BASE_URL ?? new URL(`http://localhost:${env.PORT}`),
    linkBaseUrl: env.LINK_BASE_URL ?? new URL(`http://localhost:${env.PORT}`),
    /** The host to which the DNS records of custom domains point; undefined if it is not set. */
    linkTargetHost: env.LINK_TARGET_HOST,
    /** Origins whose pages may call the management API from a browser. */
    allowedOrigins: env.ALLOWED_ORIGINS,
    /** Requests of an API key or an address. */
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    /** Requests of a person with tokens. */
    personRateLimitPerMinute: env.PERSON_RATE_LIMIT_PER_MINUTE,
    /** Whether `/api/docs` shows the API description. */
    apiDocs: env.API_DOCS,
    /** Whether `/console/` serves the web console. */
    console: env.CONSOLE,
    /** Sign-in of the console at the identity provider; undefined if it takes API keys only. */
    consoleProvider: consoleProvider(env, identityProvider, production),
    /** Redis for shared rate limits; undefined if requests are counted in the process. */
    redisUrl: env.REDIS_URL,
    /** Whether this process answers the management API, link traffic or both, or runs imports. */
    role: env.ROLE,
    /** Whether a process of the API starts one for imports while there are some, or leaves them to processes of `ROLE=import`. */
    importProcess: env.IMPORT_PROCESS,
    /** Undefined if metrics are off. */
    metricsPort: env.METRICS_PORT,
    /** The largest size of the link cache. */
    linkCacheBytes: env.LINK_CACHE_MB * 1_000_000,
    /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** The header, in lower case, in which those proxies state the visitor's country. */
    countryHeader: env.COUNTRY_HEADER,
    recordClicks: env.RECORD_CLICKS,
    /** Whole months that clicks are kept, in addition to the current one. */
    clickRetentionMonths: env.CLICK_RETENTION_MONTHS,
    /** The database of ClickHouse that stores clicks; undefined if PostgreSQL does. */
    clickHouseUrl: env.CLICKHOUSE_URL,
    /** The cluster whose servers have its tables; undefined for one server. */
    clickHouseCluster: env.CLICKHOUSE_CLUSTER,
    /** Which store is written and read, if ClickHouse is used. */
    clickHouseMode: env.CLICKHOUSE_MODE,
    apiKeyPepper: env.API_KEY_PEPPER ?? developmentPepper,
    /** Undefined if the management API takes API keys only. */
    identityProvider,
    /** The source of the roles of people; undefined if everybody is an owner. */
    roles: roleSettings(env),
    quotas: {
      free: quotas(env.QUOTA_FREE_PROJECTS, env.QUOTA_FREE_DYNAMIC_LINKS, env.QUOTA_FREE_IMPORT_MB),
      pro: quotas(env.QUOTA_PRO_PROJECTS, env.QUOTA_PRO_DYNAMIC_LINKS, env.QUOTA_PRO_IMPORT_MB),
      enterprise: quotas(
        env.QUOTA_ENTERPRISE_PROJECTS,
        env.QUOTA_ENTERPRISE_DYNAMIC_LINKS,
        env.QUOTA_ENTERPRISE_IMPORT_MB,
      ),
    } satisfies Record<(typeof plans)[number], Quotas>,
    /** Resolvers for the records of custom domains; empty for the system's. */
    dnsResolvers: env.DNS_RESOLVERS,
    /** Apps per project, iOS and Android together. */
    appsPerProject: env.APPS_PER_PROJECT,
    customDomainsPerProject: env.CUSTOM_DOMAINS_PER_PROJECT,
    /** Infinity means no limit. */
    shortLinksPerLink: env.SHORT_LINKS_PER_LINK,
    /** Milliseconds between two checks of a verified domain's record. */
    customDomainRecheckIntervalMs: env.CUSTOM_DOMAIN_RECHECK_HOURS * hour,
    /** Milliseconds that a domain stays verified without its record. */
    customDomainGraceMs: env.CUSTOM_DOMAIN_GRACE_DAYS * day,
    /** Whether checks of association files may request hosts outside the public internet. */
    probePrivateAddresses: env.PROBE_PRIVATE_ADDRESSES,
    /** Imports read APIs of installations with private addresses too. */
    importPrivateAddresses: env.IMPORT_PRIVATE_ADDRESSES,
    /** Probes of association files per minute and account. */
    probesPerMinute: env.PROBES_PER_MINUTE,
    /** Former subdomains on which a project still answers. */
    formerSubdomainsPerProject: env.FORMER_SUBDOMAINS_PER_PROJECT,
    /** Subdomains of deleted projects that are reserved for an account. */
    heldSubdomainsPerAccount: env.HELD_SUBDOMAINS_PER_ACCOUNT,
    /** Milliseconds of that reservation, and of the one for custom domains whose records exist. */
    subdomainHoldMs: env.SUBDOMAIN_HOLD_DAYS * day,
    logLevel: env.LOG_LEVEL,
    /** The level of the log line per visit. */
    visitLogLevel: env.VISIT_LOG_LEVEL,
    /** The collector of traces; undefined if tracing is off. The SDK reads this and its other variables itself. */
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** Milliseconds after SIGTERM in which new connections are accepted, until proxies have noticed. */
    shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
    /** Milliseconds after the delay in which requests in flight may end. */
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_SECONDS * 1000,
  };
}

/**
 * @throws BadSetting if the provider is unknown, or its issuer is no URL, because browsers find its endpoints there. In production
 *   the URL needs https, except on loopback addresses, because browsers send codes and tokens there.
 */
function consoleProvider(
  env: Pick<Variables, 'CONSOLE_CLIENT_ID' | 'CONSOLE_SCOPE'>,
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
function refuseOutsideRegion(env: Variables): void {
  if (env.ROLE !== 'traffic')
    throw new BadSetting('PRIMARY_DATABASE_URL: requires ROLE=traffic, because a region serves link traffic only');
  if (env.DATABASE_URL === undefined)
    throw new BadSetting('PRIMARY_DATABASE_URL: requires DATABASE_URL, the database of the region');
  if (env.CLICKHOUSE_MODE !== 'only')
    throw new BadSetting(
      'CLICKHOUSE_MODE: a region writes one store; unset it, or unset CLICKHOUSE_URL until clicks have moved',
    );
}

function refuseDevelopmentSettings(env: Variables): void {
  if (!env.API_KEY_PEPPER) throw new BadSetting('API_KEY_PEPPER: is required unless NODE_ENV is development or test');
  if (env.API_KEY_PEPPER === developmentPepper)
    throw new BadSetting('API_KEY_PEPPER: the development value protects nothing; set a random secret');
  if (env.API_KEY_PEPPER.length < 32) throw new BadSetting('API_KEY_PEPPER: must have at least 32 characters');
  if (env.API_KEY_PEPPER.trim() !== env.API_KEY_PEPPER)
    throw new BadSetting('API_KEY_PEPPER: must not begin or end with white space');
  if (new Set(env.API_KEY_PEPPER).size < minPepperCharacters)
    throw new BadSetting(`API_KEY_PEPPER: must have at least ${minPepperCharacters} different characters`);
  if (!env.DATABASE_URL && !env.ALLOW_EMBEDDED_DATABASE)
    throw new BadSetting(
      'DATABASE_URL: is required unless NODE_ENV is development or test (or set ALLOW_EMBEDDED_DATABASE=true to run on the embedded one)',
    );
}
