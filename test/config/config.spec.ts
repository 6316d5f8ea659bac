import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type Config, readConfig, BadSetting } from '../../src/config';

const secret = 's'.repeat(32);
const url = 'postgres://signpost@db/signpost';

/** What `readConfig` says of the environment: the setting's message, or nothing. */
function complaint(environment: Record<string, string>): string | null {
  try {
    readConfig(environment);
    return null;
  } catch (error) {
    if (error instanceof BadSetting) return error.message;
    throw error;
  }
}

test('an empty environment is a development set-up', () => {
  expect(readConfig({})).toEqual({
    production: false,
    host: undefined,
    port: 3000,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    dataDir: '.data',
    databasePoolSize: 10,
    migrateOnStart: true,
    apiBaseUrl: new URL('http://localhost:3000'),
    linkBaseUrl: new URL('http://localhost:3000'),
    rateLimitPerMinute: 60,
    redisUrl: undefined,
    role: 'all',
    metricsPort: undefined,
    linkCacheBytes: 64_000_000,
    trustedProxies: [],
    countryHeader: undefined,
    recordClicks: true,
    clickRetentionMonths: 13,
    apiKeyPepper: expect.any(String),
    quotas: {
      free: { projects: 1, dynamicLinks: 100 },
      pro: { projects: 10, dynamicLinks: 10_000 },
      enterprise: { projects: Infinity, dynamicLinks: Infinity },
    },
    logLevel: 'info',
    visitLogLevel: 'debug',
    otlpEndpoint: undefined,
    shutdownTimeout: 20_000,
  } satisfies Config);
});

describe('a setting', () => {
  const quotaOf = (plan: 'free' | 'pro' | 'enterprise', what: 'projects' | 'dynamicLinks') => (config: Config) =>
    config.quotas[plan][what];

  test.each<[string, string, (config: Config) => unknown, unknown]>([
    ['PORT', '8080', (config) => config.port, 8080],
    ['PORT', '0', (config) => config.port, 0],
    ['PORT', '65535', (config) => config.port, 65_535],
    ['PORT', '8080', (config) => config.apiBaseUrl.href, 'http://localhost:8080/'],
    ['PORT', '8080', (config) => config.linkBaseUrl.href, 'http://localhost:8080/'],
    ['HOST', '127.0.0.1', (config) => config.host, '127.0.0.1'],
    ['NODE_ENV', 'test', (config) => config.production, false],
    ['DATABASE_URL', url, (config) => config.databaseUrl, url],
    [
      'DATABASE_URL',
      'postgresql://a:b%40c@h:5433/d?sslmode=require',
      (config) => config.databaseUrl,
      'postgresql://a:b%40c@h:5433/d?sslmode=require',
    ],
    [
      'DATABASE_URL',
      'postgres://user@/db?host=/run/postgresql',
      (config) => config.databaseUrl,
      'postgres://user@/db?host=/run/postgresql',
    ],
    ['DATA_DIR', '/var/lib/signpost', (config) => config.dataDir, '/var/lib/signpost'],
    ['DATABASE_POOL_SIZE', '1', (config) => config.databasePoolSize, 1],
    ['MIGRATE_ON_START', 'false', (config) => config.migrateOnStart, false],
    ['MIGRATE_ON_START', 'true', (config) => config.migrateOnStart, true],
    ['API_BASE_URL', 'https://api.example.com', (config) => config.apiBaseUrl.href, 'https://api.example.com/'],
    ['API_BASE_URL', 'https://api.example.com/', (config) => config.apiBaseUrl.href, 'https://api.example.com/'],
    ['LINK_BASE_URL', 'https://go.example.com:8443', (config) => config.linkBaseUrl.host, 'go.example.com:8443'],
    ['LINK_BASE_URL', 'HTTPS://GO.Example.com', (config) => config.linkBaseUrl.hostname, 'go.example.com'],
    ['RATE_LIMIT_PER_MINUTE', '1', (config) => config.rateLimitPerMinute, 1],
    ['DATABASE_DIRECT_URL', url, (config) => config.databaseDirectUrl, url],
    ['LINK_CACHE_MB', '1', (config) => config.linkCacheBytes, 1_000_000],
    ['REDIS_URL', 'redis://:secret@redis:6379/1', (config) => config.redisUrl, 'redis://:secret@redis:6379/1'],
    ['REDIS_URL', 'rediss://redis', (config) => config.redisUrl, 'rediss://redis'],
    ['ROLE', 'traffic', (config) => config.role, 'traffic'],
    ['METRICS_PORT', '9464', (config) => config.metricsPort, 9464],
    ['TRUSTED_PROXIES', '10.0.0.1', (config) => config.trustedProxies, ['10.0.0.1']],
    [
      'TRUSTED_PROXIES',
      ' 10.0.0.0/8 , ::1,fd00::/8, loopback,',
      (config) => config.trustedProxies,
      ['10.0.0.0/8', '::1', 'fd00::/8', 'loopback'],
    ],
    ['RECORD_CLICKS', 'false', (config) => config.recordClicks, false],
    ['CLICK_RETENTION_MONTHS', '120', (config) => config.clickRetentionMonths, 120],
    ['API_KEY_PEPPER', 'short', (config) => config.apiKeyPepper, 'short'],
    ['QUOTA_FREE_PROJECTS', '0', quotaOf('free', 'projects'), 0],
    ['QUOTA_FREE_DYNAMIC_LINKS', '5', quotaOf('free', 'dynamicLinks'), 5],
    ['QUOTA_PRO_PROJECTS', 'unlimited', quotaOf('pro', 'projects'), Infinity],
    ['QUOTA_PRO_DYNAMIC_LINKS', '999999999', quotaOf('pro', 'dynamicLinks'), 999_999_999],
    ['QUOTA_ENTERPRISE_PROJECTS', '3', quotaOf('enterprise', 'projects'), 3],
    ['QUOTA_ENTERPRISE_DYNAMIC_LINKS', 'unlimited', quotaOf('enterprise', 'dynamicLinks'), Infinity],
    ['LOG_LEVEL', 'silent', (config) => config.logLevel, 'silent'],
    ['VISIT_LOG_LEVEL', 'info', (config) => config.visitLogLevel, 'info'],
    ...['http://collector:4318', 'https://otlp.example.com/tenant/otlp', 'http://[fd00::1]:4318/'].map(
      (value): [string, string, (config: Config) => unknown, unknown] => [
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        value,
        (config) => config.otlpEndpoint,
        new URL(value),
      ],
    ),
    ['SHUTDOWN_TIMEOUT_SECONDS', '5', (config) => config.shutdownTimeout, 5000],
  ])('%s=%s', (variable, value, read, expected) => {
    expect(read(readConfig({ [variable]: value }))).toEqual(expected);
  });

  test.each([
    ...['abc', '-1', '65536', '80.5', '0x50', ' 80', '1e3', '٣٠٠٠'].map((value) => ['PORT', value]),
    ...['mysql://h/d', 'postgres://', 'h:5432/d', 'postgres://h/d e', 'postgres://h:99999/d'].map((value) => [
      'DATABASE_URL',
      value,
    ]),
    ...['0', '1001', 'ten', '-5'].map((value) => ['DATABASE_POOL_SIZE', value]),
    ...['yes', '1', 'TRUE', ' true'].map((value) => ['MIGRATE_ON_START', value]),
    ...['yes', '0'].map((value) => ['ALLOW_EMBEDDED_DATABASE', value]),
    ...['API_BASE_URL', 'LINK_BASE_URL'].flatMap((variable) =>
      [
        'example.com',
        'localhost:3000',
        'ftp://example.com',
        'javascript:alert(1)',
        'https://example.com/path',
        'https://example.com/?x',
        'https://example.com/#x',
        'https://user@example.com',
        'https://user:secret@example.com',
        'https://',
        'https://exa mple.com',
      ].map((value) => [variable, value]),
    ),
    ...['http://127.0.0.1:3000', 'http://[::1]', 'https://go.example.com.'].map((value) => ['LINK_BASE_URL', value]),
    ...['0', '-1', 'none', '60/m', '1000000001'].map((value) => ['RATE_LIMIT_PER_MINUTE', value]),
    ...[
      'proxy.example.com',
      '10.0.0.256',
      '999.1.1.1',
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0.0/',
      '10.0.0.1/24/8',
      '::1/129',
      ':',
      '1:2',
      ':::',
      'fe80::1%eth0',
      '10.0.0.1;10.0.0.2',
      '10.0.0.1 10.0.0.2',
      'LOOPBACK',
      '*',
      'true',
    ].map((value) => ['TRUSTED_PROXIES', value]),
    ...['-1', '1.5', 'infinity', 'Unlimited', '1000000000', 'null'].map((value) => ['QUOTA_FREE_PROJECTS', value]),
    ...[
      'QUOTA_FREE_DYNAMIC_LINKS',
      'QUOTA_PRO_PROJECTS',
      'QUOTA_PRO_DYNAMIC_LINKS',
      'QUOTA_ENTERPRISE_PROJECTS',
      'QUOTA_ENTERPRISE_DYNAMIC_LINKS',
    ].map((variable) => [variable, 'many']),
    ...['verbose', 'INFO', '30'].map((value) => ['LOG_LEVEL', value]),
    ...['all', 'DEBUG'].map((value) => ['VISIT_LOG_LEVEL', value]),
    ...[
      'collector:4318',
      'grpc://collector:4317',
      'http://',
      'http://collector:99999',
      'http:collector',
      'http://collector:4318?key=x',
      'http://collector:4318/#x',
      'https://token@collector',
      'https://user:token@collector',
      ' http://collector:4318',
      'http://collector:4318 ',
    ].map((value) => ['OTEL_EXPORTER_OTLP_ENDPOINT', value]),
    ...['0', '601', '-1', '5s'].map((value) => ['SHUTDOWN_TIMEOUT_SECONDS', value]),
    ...['redis', 'http://redis', 'redis:6379 1'].map((value) => ['REDIS_URL', value]),
    ...['API', 'both'].map((value) => ['ROLE', value]),
    ...['65536', 'x'].map((value) => ['METRICS_PORT', value]),
    ...['0', '1.5'].map((value) => ['LINK_CACHE_MB', value]),
    ...['yes', '0'].map((value) => ['RECORD_CLICKS', value]),
    ...['0', '121', 'forever'].map((value) => ['CLICK_RETENTION_MONTHS', value]),
    ...['CF IPCountry', 'country:', '-x', 'länd', 'x'.repeat(101)].map((value) => ['COUNTRY_HEADER', value]),
    ...['mysql://h/d'].map((value) => ['DATABASE_DIRECT_URL', value]),
  ] as [string, string][])('%s=%s is refused in one line that names it', (variable, value) => {
    expect(complaint({ [variable]: value })).toMatch(new RegExp(`^${variable}: .+$`));
  });

  test('does not show a secret when it is refused', () => {
    expect(complaint({ DATABASE_URL: 'mysql://user:hunter2@h/d' })).not.toContain('hunter2');
    expect(complaint({ API_BASE_URL: 'https://user:hunter2@h' })).not.toContain('hunter2');
    expect(complaint({ REDIS_URL: 'http://:hunter2@h' })).not.toContain('hunter2');
    expect(complaint({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hunter2@h' })).not.toContain('hunter2');
  });

  test.each([
    'PORT',
    'HOST',
    'NODE_ENV',
    'DATABASE_URL',
    'DATA_DIR',
    'DATABASE_POOL_SIZE',
    'MIGRATE_ON_START',
    'ALLOW_EMBEDDED_DATABASE',
    'API_BASE_URL',
    'LINK_BASE_URL',
    'RATE_LIMIT_PER_MINUTE',
    'TRUSTED_PROXIES',
    'API_KEY_PEPPER',
    'QUOTA_FREE_PROJECTS',
    'LOG_LEVEL',
    'VISIT_LOG_LEVEL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'SHUTDOWN_TIMEOUT_SECONDS',
    'REDIS_URL',
    'ROLE',
    'METRICS_PORT',
    'LINK_CACHE_MB',
    'DATABASE_DIRECT_URL',
    'COUNTRY_HEADER',
    'RECORD_CLICKS',
    'CLICK_RETENTION_MONTHS',
  ])('%s that is empty counts as not set', (variable) => {
    expect(readConfig({ [variable]: '' })).toEqual(readConfig({}));
  });

  test("the header with the visitor's country is read in any letter case, and believed from somebody", () => {
    const given = { COUNTRY_HEADER: 'CF-IPCountry' };
    expect(readConfig({ ...given, TRUSTED_PROXIES: '10.0.0.0/8' }).countryHeader).toBe('cf-ipcountry');
    expect(complaint(given)).toMatch(/^COUNTRY_HEADER: .*TRUSTED_PROXIES.*$/);
  });

  test('that is none of ours does not matter', () => {
    expect(readConfig({ PATH: '/bin', PORTS: 'abc', npm_config_x: '1' })).toEqual(readConfig({}));
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production', API_KEY_PEPPER: secret, DATABASE_URL: url };
  const development = readConfig({}).apiKeyPepper;

  test('a pepper and a database are enough', () => {
    expect(readConfig(production)).toMatchObject({ production: true, apiKeyPepper: secret, databaseUrl: url });
  });

  test.each([
    ['a stage that is not named for development', { NODE_ENV: 'staging', DATABASE_URL: url }, /^API_KEY_PEPPER: .+$/],
    ['no pepper', { ...production, API_KEY_PEPPER: '' }, /^API_KEY_PEPPER: .+$/],
    ['the pepper of development', { ...production, API_KEY_PEPPER: development }, /^API_KEY_PEPPER: .+$/],
    ['a short pepper', { ...production, API_KEY_PEPPER: 's'.repeat(31) }, /^API_KEY_PEPPER: .*32.*$/],
    ['no database', { ...production, DATABASE_URL: '' }, /^DATABASE_URL: .+ALLOW_EMBEDDED_DATABASE.*$/],
    [
      'the embedded one refused',
      { ...production, DATABASE_URL: '', ALLOW_EMBEDDED_DATABASE: 'false' },
      /^DATABASE_URL: .+$/,
    ],
  ])('%s is refused', (_, environment, message) => {
    expect(complaint(environment)).toMatch(message);
    expect(complaint(environment)).not.toContain('ssss');
  });

  test('the embedded database is there for those who ask for it', () => {
    const environment = { ...production, DATABASE_URL: '', ALLOW_EMBEDDED_DATABASE: 'true' };
    expect(readConfig(environment)).toMatchObject({ production: true, databaseUrl: undefined });
  });
});

describe('the program', () => {
  const program = join(__dirname, '..', '..', 'dist', 'main.js');

  test.each<[string, Record<string, string>]>([
    ['PORT', { PORT: 'abc' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['API_KEY_PEPPER', { NODE_ENV: 'production' }],
  ])('stops at once over a wrong %s, with one line on standard error', async (variable, environment) => {
    const from = performance.now();
    const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], DATA_DIR: '/nonexistent', ...environment };
      execFile(process.execPath, [program], { env, timeout: 25_000 }, (error, stdout, stderr) =>
        resolve({ code: error?.code, stdout, stderr }),
      );
    });
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^${variable}: [^\n]+\n$`)),
    });
    expect(performance.now() - from).toBeLessThan(20_000);
  });
});
