import type { RoleSettings } from '../../../src/tenancy/identity-provider/identity-provider-settings';
import { type Config, readConfig } from '../../../src/app/settings/config';
import { BadSetting } from '../../../src/shared/bad-setting';
import { configVariables } from '../../support/config-variables';
import { words } from '../../support/words';

const secret = 'a-pepper-of-more-than-thirty-two-characters';
const url = 'postgres://signpost@db/signpost';
const production = { NODE_ENV: 'production', API_KEY_PEPPER: secret, DATABASE_URL: url };

/** Returns the error message of `readConfig`, or null. */
function configError(environment: Record<string, string>): string | null {
  try {
    readConfig(environment);
    return null;
  } catch (error) {
    if (error instanceof BadSetting) return error.message;
    throw error;
  }
}

describe('a setting', () => {
  const quotaOf = (plan: 'free' | 'pro' | 'enterprise', what: keyof Config['quotas']['free']) => (config: Config) =>
    config.quotas[plan][what];

  const s3 = 'https://AKID:a%2Fb@s3.eu-central-1.amazonaws.com/pictures';

  test.each<[string, (config: Config) => unknown, string[]]>([
    ['HOST', (config) => config.host, ['127.0.0.1']],
    [
      'DATABASE_URL',
      (config) => config.databaseUrl,
      [url, 'postgresql://a:b%40c@h:5433/d?sslmode=require', 'postgres://user@/db?host=/run/postgresql'],
    ],
    ['DATA_DIR', (config) => config.dataDir, ['/var/lib/signpost']],
    ['DATABASE_DIRECT_URL', (config) => config.databaseDirectUrl, [url]],
    ['REDIS_URL', (config) => config.rateLimit.redisUrl, ['redis://:secret@redis:6379/1', 'rediss://redis']],
    ['CLICKHOUSE_URL', (config) => config.clickHouse.url?.href, ['https://signpost:secret@clickhouse:8443/clicks']],
    ['CLICKHOUSE_MODE', (config) => config.clickHouse.mode, ['write']],
    ['PICTURES_S3_URL', (config) => config.pictures.url?.href, [s3]],
    ['PICTURES_S3_REGION', (config) => config.pictures.region, ['eu-central-1']],
    ['ROLE', (config) => config.role, ['traffic', 'import']],
    ['IMPORT_PROCESS', (config) => config.importProcess, ['separate']],
    ['JOURNAL_ADDRESSES', (config) => config.journal.addresses, ['none']],
    ['API_KEY_PEPPER', (config) => config.apiKeyPepper, ['short']],
    ['LOG_LEVEL', (config) => config.logLevel, ['silent']],
    ['VISIT_LOG_LEVEL', (config) => config.linkTraffic.visitLogLevel, ['info']],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      (config) => config.otlpEndpoint?.href,
      ['http://collector:4318/', 'https://otlp.example.com/tenant/otlp', 'http://[fd00::1]:4318/'],
    ],
  ])('%s is read', (variable, read, values) => {
    for (const value of values) expect(read(readConfig({ [variable]: value }))).toBe(value);
  });

  test.each<[string, string, (config: Config) => unknown, unknown]>([
    ['PORT', '8080', (config) => config.port, 8080],
    ['PORT', '8080', (config) => config.apiBaseUrl.href, 'http://localhost:8080/'],
    ['PORT', '8080', (config) => config.linkBaseUrl.href, 'http://localhost:8080/'],
    ['NODE_ENV', 'test', (config) => config.production, false],
    ['DATABASE_POOL_SIZE', '1', (config) => config.databasePoolSize, 1],
    ['MIGRATE_ON_START', 'false', (config) => config.migrateOnStart, false],
    ['API_BASE_URL', 'https://api.example.com', (config) => config.apiBaseUrl.href, 'https://api.example.com/'],
    ['LINK_BASE_URL', 'https://go.example.com:8443', (config) => config.linkBaseUrl.host, 'go.example.com:8443'],
    ['LINK_TARGET_HOST', 'Edge.Example.net', (config) => config.domains.linkTargetHost, 'edge.example.net'],
    ['LINK_BASE_URL', 'HTTPS://GO.Example.com', (config) => config.linkBaseUrl.hostname, 'go.example.com'],
    ['RATE_LIMIT_PER_MINUTE', '1', (config) => config.rateLimit.perMinute, 1],
    ['PERSON_RATE_LIMIT_PER_MINUTE', '1', (config) => config.rateLimit.perMinuteOfPerson, 1],
    [
      'ALLOWED_ORIGINS',
      ' https://dashboard.example.com, http://localhost:5173,https://dashboard.example.com,http://[::1]:3000,',
      (config) => config.allowedOrigins,
      ['https://dashboard.example.com', 'http://localhost:5173', 'http://[::1]:3000'],
    ],
    ['API_DOCS', 'false', (config) => config.apiDocs, false],
    ['CONSOLE', 'false', (config) => config.console, false],
    ['LINK_CACHE_MB', '1', (config) => config.linkTraffic.linkCacheBytes, 1_000_000],
    ['CLICKHOUSE_MODE', 'write', (config) => config.clicks.writesBoth, true],
    ['METRICS_PORT', '9464', (config) => config.metricsPort, 9464],
    ['TRUSTED_PROXIES', '10.0.0.1', (config) => config.linkTraffic.trustedProxies, ['10.0.0.1']],
    [
      'TRUSTED_PROXIES',
      ' 10.0.0.0/8 , ::1,fd00::/8, loopback,',
      (config) => config.linkTraffic.trustedProxies,
      ['10.0.0.0/8', '::1', 'fd00::/8', 'loopback'],
    ],
    ['RECORD_CLICKS', 'false', (config) => config.clicks.record, false],
    ['CLICK_RETENTION_MONTHS', '120', (config) => config.clicks.retentionMonths, 120],
    ['JOURNAL_RETENTION_MONTHS', '120', (config) => config.journal.retentionMonths, 120],
    ['QUOTA_FREE_PROJECTS', '0', quotaOf('free', 'projects'), 0],
    ['QUOTA_FREE_DYNAMIC_LINKS', '5', quotaOf('free', 'dynamicLinks'), 5],
    ['QUOTA_PRO_PROJECTS', 'unlimited', quotaOf('pro', 'projects'), Infinity],
    ['QUOTA_PRO_IMPORT_MB', '7', quotaOf('pro', 'importBytes'), 7_000_000],
    ['QUOTA_ENTERPRISE_IMPORT_MB', 'unlimited', quotaOf('enterprise', 'importBytes'), Infinity],
    ['QUOTA_FREE_PICTURE_MB', '7', quotaOf('free', 'pictureBytes'), 7_000_000],
    ['API_KEYS_PER_ACCOUNT', '7', (config) => config.quotas.pro.apiKeys, 7],
    ['API_KEYS_PER_ACCOUNT', 'unlimited', (config) => config.quotas.free.apiKeys, Infinity],
    [
      'DNS_RESOLVERS',
      ' 10.0.0.53, 127.0.0.1:5353,[fd00::53]:53, ::1,[::1],',
      (config) => config.dns.resolvers,
      ['10.0.0.53', '127.0.0.1:5353', '[fd00::53]:53', '::1', '[::1]'],
    ],
    ['SHORT_LINKS_PER_LINK', '7', (config) => config.shortLinks.perDynamicLink, 7],
    ['APPS_PER_PROJECT', '0', (config) => config.apps.perProject, 0],
    ['CUSTOM_DOMAINS_PER_PROJECT', '0', (config) => config.domains.perProject, 0],
    ['CUSTOM_DOMAIN_RECHECK_HOURS', '1', (config) => config.domains.recheckIntervalMs, 3_600_000],
    ['CUSTOM_DOMAIN_GRACE_DAYS', '0', (config) => config.domains.graceMs, 0],
    ['PROBE_PRIVATE_ADDRESSES', 'true', (config) => config.probes.allowPrivateAddresses, true],
    ['WEBHOOK_PRIVATE_ADDRESSES', 'true', (config) => config.webhooks.allowPrivateAddresses, true],
    ['IMPORT_PRIVATE_ADDRESSES', 'true', (config) => config.importApis.allowPrivateAddresses, true],
    ['FORMER_SUBDOMAINS_PER_PROJECT', '5', (config) => config.reservations.formerPerProject, 5],
    ['HELD_SUBDOMAINS_PER_ACCOUNT', '5', (config) => config.reservations.heldPerAccount, 5],
    ['SUBDOMAIN_HOLD_DAYS', '30', (config) => config.reservations.holdTimeMs, 30 * 86_400_000],
    ['SUBDOMAIN_HOLD_DAYS', '30', (config) => config.domains.holdTimeMs, 30 * 86_400_000],
    ['SHUTDOWN_DELAY_SECONDS', '10', (config) => config.shutdownDelayMs, 10_000],
    ['SHUTDOWN_TIMEOUT_SECONDS', '5', (config) => config.shutdownTimeoutMs, 5000],
  ])('%s=%s', (variable, value, read, expected) => {
    expect(read(readConfig({ [variable]: value }))).toEqual(expected);
  });

  // test/docs/settings.spec.ts refuses the values and combinations that the page names, and values beyond the bounds.
  const refused = {
    PORT: [' 80', '٣٠٠٠'],
    MIGRATE_ON_START: [' true'],
    DATABASE_URL: ['postgres://', 'postgres://h/d e', 'postgres://h:99999/d'],
    API_BASE_URL: [
      ...['localhost:3000', 'ftp://example.com', 'https://example.com/?x', 'https://'],
      ...['https://go.example.com.', 'https://my_host.example.com', 'https://-a.example.com'],
    ],
    LINK_BASE_URL: ['http://[::1]', 'https://user:secret@example.com', 'https://my_host.example.com'],
    LINK_TARGET_HOST: ['edge.example.net.', '*.example.net'],
    ALLOWED_ORIGINS: [
      ...['dashboard.example.com', 'https://user@dashboard.example.com', 'https://münchen.example'],
      ...['https://a.example https://b.example', 'https://', 'file://'],
    ],
    TRUSTED_PROXIES: ['10.0.0.256', '10.0.0', '10.0.0.0/', '::1/129', ':', 'fe80::1%eth0', '10.0.0.1;10.0.0.2', 'true'],
    QUOTA_FREE_PROJECTS: ['infinity', 'Unlimited', 'null'],
    DNS_RESOLVERS: words('10.0.0.53:65536 10.0.0.53: 10.0.0.256 fd00::53:5353:1:2:3:4:5:6 [fd00::53 udp://::1'),
    OTEL_EXPORTER_OTLP_ENDPOINT: ['http://', 'http://collector:99999', 'http://collector?key=x', 'http://collector '],
    CLICKHOUSE_URL: ['clickhouse:8123/signpost', 'http://clickhouse:8123/', 'http://clickhouse/a-b'],
    PICTURES_S3_URL: ['https://AKID@s3.example.com/bucket', 'https://AKID:a%ZZ@s3.example.com/bucket'],
    PICTURES_S3_REGION: ['x'.repeat(51)],
    COUNTRY_HEADER: ['country:', 'länd', 'x'.repeat(101)],
    COUNTRY_DATABASE: ['x'.repeat(1001)],
    BROWSER_ESCAPES_FILE: ['x'.repeat(1001)],
  };
  test.each(Object.entries(refused).flatMap(([variable, values]) => values.map((value) => [variable, value] as const)))(
    '%s=%s is refused in one line that names it',
    (variable, value) => {
      expect(configError({ [variable]: value })).toMatch(new RegExp(`^${variable}: .+$`));
    },
  );

  test('does not print a refused secret', () => {
    expect(configError({ DATABASE_URL: 'mysql://user:hunter2@h/d' })).not.toContain('hunter2');
    expect(configError({ API_BASE_URL: 'https://user:hunter2@h' })).not.toContain('hunter2');
    expect(configError({ REDIS_URL: 'http://:hunter2@h' })).not.toContain('hunter2');
    expect(configError({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hunter2@h' })).not.toContain('hunter2');
  });

  test.each(configVariables())('%s with an empty value counts as not set', (variable) => {
    expect(readConfig({ [variable]: '' })).toEqual(readConfig({}));
  });

  test('COUNTRY_HEADER is case-insensitive', () => {
    const environment = { COUNTRY_HEADER: 'CF-IPCountry', TRUSTED_PROXIES: '10.0.0.0/8' };
    expect(readConfig(environment).linkTraffic.countryHeader).toBe('cf-ipcountry');
  });

  test('of another program is ignored', () => {
    expect(readConfig({ PATH: '/bin', PORTS: 'abc', npm_config_x: '1' })).toEqual(readConfig({}));
  });
});

describe('an identity provider', () => {
  const keySet = 'https://id.example.com/jwks.json';
  const needed = {
    DASHBOARD_JWKS_URL: keySet,
    DASHBOARD_ISSUER: 'https://id.example.com/',
    DASHBOARD_AUDIENCE: 'signpost',
  };

  const claims = { user: 'sub', account: 'account_id', email: 'email', groups: 'groups' };

  test('requires three settings; the others have defaults', () => {
    expect(readConfig(needed).identityProvider).toEqual({
      keySet: { url: new URL(keySet) },
      issuer: 'https://id.example.com/',
      audience: 'signpost',
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      clockSkewSeconds: 30,
      claims,
    });
  });

  test('signs people in to the console, if it has a client there', () => {
    expect(readConfig(needed).consoleProvider).toBeNull();
    expect(readConfig({ ...needed, CONSOLE_CLIENT_ID: 'console' }).consoleProvider).toEqual({
      issuer: 'https://id.example.com/',
      clientId: 'console',
      scope: 'openid',
      audience: 'signpost',
      origins: ['https://id.example.com'],
    });
    const elsewhere = { DASHBOARD_JWKS_URL: 'https://keys.example.com/jwks.json', CONSOLE_SCOPE: 'openid email' };
    expect(readConfig({ ...needed, ...elsewhere, CONSOLE_CLIENT_ID: 'console' }).consoleProvider).toMatchObject({
      scope: 'openid email',
      origins: ['https://id.example.com', 'https://keys.example.com'],
    });
  });

  test('for the console may lack TLS on loopback, and in development', () => {
    const unprotected = { ...needed, DASHBOARD_ISSUER: 'http://id.example.com', CONSOLE_CLIENT_ID: 'console' };
    for (const accepted of [unprotected, { ...production, ...unprotected, DASHBOARD_ISSUER: 'http://127.0.0.1:9000' }])
      expect(readConfig(accepted).consoleProvider).toMatchObject({ issuer: accepted.DASHBOARD_ISSUER });
  });

  test('can provide its keys in a file', () => {
    const environment = { ...needed, DASHBOARD_JWKS_URL: '', DASHBOARD_JWKS_FILE: '/etc/signpost/jwks.json' };
    expect(readConfig(environment).identityProvider).toMatchObject({ keySet: { file: '/etc/signpost/jwks.json' } });
  });

  test.each<[string, string, object]>([
    ['DASHBOARD_ALGORITHMS', 'ES384', { algorithms: ['ES384'] }],
    ['DASHBOARD_ALGORITHMS', 'RS256, ES256,EdDSA', { algorithms: ['RS256', 'ES256', 'EdDSA'] }],
    ['DASHBOARD_CLOCK_SKEW_SECONDS', '0', { clockSkewSeconds: 0 }],
    ['DASHBOARD_CLOCK_SKEW_SECONDS', '300', { clockSkewSeconds: 300 }],
    ['DASHBOARD_USER_CLAIM', 'oid', { claims: { ...claims, user: 'oid' } }],
    ['DASHBOARD_ACCOUNT_CLAIM', 'https://a.example', { claims: { ...claims, account: 'https://a.example' } }],
    ['DASHBOARD_ROLES_CLAIM', 'roles', { claims: { ...claims, groups: 'roles' } }],
    ['DASHBOARD_EMAIL_CLAIM', 'upn', { claims: { ...claims, email: 'upn' } }],
  ])('%s=%s', (variable, value, expected) => {
    expect(readConfig({ ...needed, [variable]: value }).identityProvider).toMatchObject(expected);
  });

  const shop = '0198c0de-7e57-7000-8000-000000000001';
  test.each<[object, RoleSettings | undefined]>([
    [{}, undefined],
    [{ DASHBOARD_ROLES_SOURCE: 'members' }, { source: 'members' }],
    [{ DASHBOARD_ROLES_SOURCE: 'members', DASHBOARD_ROLES: 'a=owner' }, { source: 'members' }],
    [
      { DASHBOARD_ROLES: `a=b=owner, shop=admin:${shop.toUpperCase()}` },
      {
        source: 'provider',
        groups: [
          { group: 'a=b', role: 'owner', projectId: null },
          { group: 'shop', role: 'admin', projectId: shop },
        ],
      },
    ],
  ])('%j', (variables, roles) => {
    expect(readConfig({ ...needed, ...variables }).roles).toEqual(roles);
  });

  test('the provider as the source of roles requires roles of groups', () => {
    expect(configError({ ...needed, DASHBOARD_ROLES_SOURCE: 'provider' })).toMatch(/^DASHBOARD_ROLES: is required/);
  });

  test.each([
    ['DASHBOARD_JWKS_URL', 'ftp://id.example.com/jwks.json'],
    ['DASHBOARD_JWKS_URL', 'file:///etc/jwks.json'],
    ['DASHBOARD_JWKS_URL', 'https://user:hunter2@id.example.com/jwks.json'],
    ['DASHBOARD_ISSUER', 'x'.repeat(501)],
    ['DASHBOARD_AUDIENCE', 'ü'],
    ...['RS256,HS256', 'RS256;ES256', 'RS256,', 'ES256K', 'RSA-OAEP'].map((value) => ['DASHBOARD_ALGORITHMS', value]),
    ...['=owner', 'a=admin:shop'].map((value) => ['DASHBOARD_ROLES', value]),
    ['DASHBOARD_ACCOUNT_CLAIM', '\n'],
    ['DASHBOARD_EMAIL_CLAIM', 'é'],
  ] as [string, string][])('%s=%s is refused in one line that names it', (variable, value) => {
    const message = configError({ ...needed, [variable]: value });
    expect(message).toMatch(new RegExp(`^${variable}: .+$`));
    expect(message).not.toContain('hunter2');
  });

  test.each([
    ['DASHBOARD_CLOCK_SKEW_SECONDS', '10'],
    ['DASHBOARD_ALGORITHMS', 'ES256'],
    ['DASHBOARD_USER_CLAIM', 'sub'],
    ['DASHBOARD_ACCOUNT_CLAIM', 'org'],
    ['DASHBOARD_EMAIL_CLAIM', 'email'],
    ['DASHBOARD_ISSUER', 'https://id.example.com/'],
    ['DASHBOARD_JWKS_FILE', '/etc/jwks.json'],
  ])('with only %s stops the program', (variable, value) => {
    expect(configError({ [variable]: value })).toMatch(
      new RegExp(`^DASHBOARD_(JWKS_URL|ISSUER): is required.* where ${variable} is set$`),
    );
  });

  test.each([
    ['http://localhost.example.com/jwks.json', true],
    ['http://127.0.0.1.example.com/jwks.json', true],
    ['https://id.example.com/jwks.json', false],
    ['http://localhost:8080/jwks.json', false],
    ['http://127.0.0.1/jwks.json', false],
    ['http://[::1]:8080/jwks.json', false],
  ])('at %s is refused in production: %s', (url, refused) => {
    const message = expect.stringMatching(/^DASHBOARD_JWKS_URL: must be https/) as string;
    expect(configError({ ...production, ...needed, DASHBOARD_JWKS_URL: url })).toEqual(refused ? message : null);
    expect(configError({ ...needed, DASHBOARD_JWKS_URL: url })).toBeNull();
  });
});

test('METRICS_PORT differs from the default of PORT, and both may be free ones', () => {
  expect(configError({ METRICS_PORT: '3000' })).toMatch(/^METRICS_PORT: /);
  expect(configError({ PORT: '0', METRICS_PORT: '0' })).toBeNull();
});

describe.each(['DATABASE_URL', 'DATABASE_DIRECT_URL'])('TLS of %s', (variable) => {
  test.each(['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])('may be %s', (mode) =>
    expect(configError({ [variable]: `${url}?sslmode=${mode}` })).toBeNull(),
  );

  test.each(['bogus', 'allow', 'VERIFY-FULL', ''])('may not be "%s"', (mode) =>
    expect(configError({ [variable]: `${url}?application_name=a&sslmode=${mode}` })).toBe(
      `${variable}: sslmode must be one of disable, prefer, require, verify-ca, verify-full, no-verify`,
    ),
  );

  test.each(['sslrootcert', 'sslcert', 'sslkey'])('names a missing file of %s', (name) => {
    expect(configError({ [variable]: `${url}?sslmode=verify-full&${name}=/nonexistent/ca.pem` })).toBe(
      `${variable}: the file /nonexistent/ca.pem of ${name} cannot be read (ENOENT)`,
    );
    expect(configError({ [variable]: `${url}?sslmode=verify-full&${name}=${__filename}` })).toBeNull();
  });
});

describe('in production', () => {
  const development = readConfig({}).apiKeyPepper;

  test('a pepper and a database are enough', () => {
    expect(readConfig(production)).toMatchObject({ production: true, apiKeyPepper: secret, databaseUrl: url });
  });

  test.each<[string, environment: Record<string, string>, message: RegExp]>([
    ['a stage that is not named for development', { NODE_ENV: 'staging', API_KEY_PEPPER: '' }, /^API_KEY_PEPPER: .+$/],
    ['the pepper of development', { API_KEY_PEPPER: development }, /^API_KEY_PEPPER: .+$/],
    ['a pepper of spaces', { API_KEY_PEPPER: ' '.repeat(35) }, /^API_KEY_PEPPER: .+$/],
    ['a pepper with a line break', { API_KEY_PEPPER: `${secret}\n` }, /^API_KEY_PEPPER: .*white space.*$/],
    ['a short pepper', { API_KEY_PEPPER: 's'.repeat(31) }, /^API_KEY_PEPPER: .*32.*$/],
    ['the embedded one refused', { DATABASE_URL: '', ALLOW_EMBEDDED_DATABASE: 'false' }, /^DATABASE_URL: .+$/],
  ])('%s is refused', (_, environment, message) => {
    const error = configError({ ...production, ...environment });
    expect(error).toMatch(message);
    expect(error).not.toContain('ssss');
  });
});
