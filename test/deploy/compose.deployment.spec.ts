import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { readConfig } from '../../src/app/settings/config';
import { root } from '../support/chart-tools';
import { configVariables } from '../support/config-variables';

interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: object;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
}

function read(file: string) {
  const text = readFileSync(join(root, file), 'utf8');
  expect(parseDocument(text, { uniqueKeys: true }).errors).toEqual([]);
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  return { text, services };
}

const { text, services } = read('docker-compose.yml');
const { signpost, postgres, redis } = services as Record<'signpost' | 'postgres' | 'redis', ComposeService>;
const regions = read('docker-compose.regions.yml').services;

/** Returns the settings of a service, without `REDIS_URL`, which is optional. */
const configOf = ({ environment }: ComposeService) => {
  expect(Object.keys(environment!).filter((name) => !configVariables().includes(name))).toEqual([]);
  return readConfig({ ...environment, REDIS_URL: undefined });
};

const knownKeys =
  'build image command environment profiles ports depends_on healthcheck read_only tmpfs cap_drop security_opt stop_grace_period restart volumes';

test('services have known keys only', () => {
  const keys = [services, regions].flatMap((all) => Object.values(all).flatMap((service) => Object.keys(service)));
  expect(keys.filter((key) => !knownKeys.split(' ').includes(key))).toEqual([]);
});

test('the service starts after healthy PostgreSQL and Redis of exact versions, and Caddy on request', () => {
  const profiles = Object.entries(services).map(([name, service]) => [name, service.profiles]);
  expect(Object.fromEntries(profiles)).toEqual({
    signpost: undefined,
    postgres: undefined,
    redis: undefined,
    caddy: ['tls'],
  });
  expect(signpost.depends_on).toEqual({
    postgres: { condition: 'service_healthy' },
    redis: { condition: 'service_healthy' },
  });
  expect(postgres.image).toMatch(/^postgres:\d+\.\d+-bookworm$/);
  expect(redis.image).toMatch(/^redis:\d+\.\d+\.\d+-bookworm$/);
});

test.each(Object.entries(services))('%s has a health check, and a read-only file system', (_name, service) => {
  expect(service).toMatchObject({ read_only: true, security_opt: ['no-new-privileges:true'] });
  expect(service.healthcheck).toMatchObject({ test: expect.arrayContaining(['CMD']), interval: '5s', retries: 6 });
});

test('the service has no capabilities, and more time than the shutdown timeout', () => {
  expect(signpost.cap_drop).toEqual(['ALL']);
  expect(Number(signpost.stop_grace_period!.replace(/s$/, '')) * 1000).toBeGreaterThan(
    readConfig({}).shutdownTimeoutMs,
  );
});

test('ports are published on loopback only', () => {
  const published = [services, regions].flatMap((all) => Object.values(all).flatMap(({ ports = [] }) => ports));
  expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect([postgres.ports, redis.ports]).toEqual([undefined, undefined]);
});

test('the settings are valid, and refer to the other services', () => {
  const config = configOf(signpost);
  expect(config.production).toBe(true);
  const { hostname, username, password, pathname } = new URL(config.databaseUrl!);
  expect({ hostname, username, password, pathname }).toEqual({
    hostname: 'postgres',
    username: postgres.environment!['POSTGRES_USER'],
    password: postgres.environment!['POSTGRES_PASSWORD'],
    pathname: `/${postgres.environment!['POSTGRES_DB']}`,
  });
  expect(new URL(signpost.environment!['REDIS_URL']!).hostname).toBe('redis');
});

test('each secret is marked as for local use only', () => {
  const secrets = text.split('\n').filter((line) => /^ +(\w*(PASSWORD|PEPPER)|DATABASE_URL):/.test(line));
  expect(secrets).toHaveLength(3);
  for (const line of secrets) expect(line).toMatch(/local-use-only.*# local use only$/);
});

test('the second file adds a region, and the first one has no logical replication', () => {
  expect(Object.keys(regions).filter((name) => name in services)).toEqual(['postgres']);
  expect([regions['postgres']!.command, text]).toEqual([
    expect.arrayContaining(['wal_level=logical']),
    expect.not.stringContaining('wal_level'),
  ]);
  expect(regions['postgres-eu']!.image).toBe(postgres.image);
  expect(regions['signpost-eu']!.image).toBe(signpost.image);
  for (const [name, { read_only }] of Object.entries(regions))
    if (name !== 'postgres') expect([name, read_only]).toEqual([name, true]);
});

test('the region is added before its process starts, with the same valid settings', () => {
  const [add, serve] = [regions['region-add']!, regions['signpost-eu']!];
  expect(add.command).toEqual(['node', 'dist/admin.js', 'region', 'add', '--name', 'eu']);
  expect(serve.depends_on).toEqual({ 'region-add': { condition: 'service_completed_successfully' } });
  expect(add.environment).toEqual(serve.environment);
  const config = configOf(serve);
  expect(config).toMatchObject({ production: true, role: 'traffic' });
  const databases = [config.databaseUrl, config.primaryDatabaseUrl].map((url) => new URL(url!).hostname);
  expect(databases).toEqual(['postgres-eu', 'postgres']);
});
