import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { readConfig } from '../../src/app/settings/config';
import { root } from '../support/chart-tools';
import { configVariables } from '../support/config-variables';

interface ComposeService {
  build?: string;
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: { test: string[]; interval: string; timeout: string; retries: number; start_period: string };
  read_only: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt: string[];
  stop_grace_period?: string;
  volumes?: string[];
}

const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const compose = parse(text) as {
  services: Record<'signpost' | 'postgres' | 'redis' | 'caddy', ComposeService>;
  volumes: Record<string, null>;
};
const { signpost, postgres, redis, caddy } = compose.services;

describe('docker-compose.yml', () => {
  it('is valid YAML with only known Compose keys', () => {
    expect(parseDocument(text, { uniqueKeys: true }).errors).toEqual([]);
    expect(Object.keys(compose)).toEqual(['name', 'services', 'volumes']);
    const known = new Set(
      'build image command environment profiles ports depends_on healthcheck read_only tmpfs cap_drop security_opt stop_grace_period restart volumes'.split(
        ' ',
      ),
    );
    for (const service of Object.values(compose.services))
      expect(Object.keys(service).filter((key) => !known.has(key))).toEqual([]);
  });

  it('starts the service after healthy PostgreSQL and Redis of exact versions', () => {
    expect(Object.keys(compose.services)).toEqual(['signpost', 'postgres', 'redis', 'caddy']);
    expect(Object.values(compose.services).map(({ profiles }) => profiles)).toEqual([
      undefined,
      undefined,
      undefined,
      ['tls'],
    ]);
    expect(signpost.build).toBe('.');
    expect(signpost.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    expect(postgres.image).toMatch(/^postgres:\d+\.\d+-bookworm$/);
    expect(redis.image).toMatch(/^redis:\d+\.\d+\.\d+-bookworm$/);
  });

  it.each(Object.entries(compose.services))('has a health check for %s', (_name, { healthcheck }) => {
    expect(healthcheck.test[0]).toBe('CMD');
    expect(healthcheck).toMatchObject({ interval: '5s', retries: 6, start_period: expect.any(String) });
  });

  it.each(Object.entries(compose.services))(
    'gives %s a read-only file system with the necessary exceptions',
    (_name, service) => {
      expect(service.read_only).toBe(true);
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
    },
  );

  it('drops all capabilities and allows more time than the shutdown timeout', () => {
    expect(signpost.cap_drop).toEqual(['ALL']);
    expect(signpost.tmpfs).toBeUndefined();
    const { shutdownTimeoutMs } = readConfig({});
    expect(Number(signpost.stop_grace_period!.replace(/s$/, '')) * 1000).toBeGreaterThan(shutdownTimeoutMs);
  });

  it('publishes ports on loopback only', () => {
    expect([...signpost.ports!, ...caddy.ports!].every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
    expect([postgres.ports, redis.ports]).toEqual([undefined, undefined]);
  });

  it('has valid settings that refer to the other services', () => {
    const environment = signpost.environment!;
    const known = configVariables();
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    // REDIS_URL is optional.
    const config = readConfig({ ...environment, REDIS_URL: undefined });
    expect(config.production).toBe(true);
    const database = new URL(config.databaseUrl!);
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = postgres.environment!;
    expect([database.hostname, database.username, database.password, database.pathname]).toEqual([
      'postgres',
      POSTGRES_USER,
      POSTGRES_PASSWORD,
      `/${POSTGRES_DB}`,
    ]);
    expect(new URL(environment['REDIS_URL']!).hostname).toBe('redis');
  });

  it('marks each secret as for local use only', () => {
    const secrets = text.split('\n').filter((line) => /^ +(\w*(PASSWORD|PEPPER)|DATABASE_URL):/.test(line));
    expect(secrets).toHaveLength(3);
    for (const line of secrets) expect(line).toMatch(/local-use-only.*# local use only$/);
  });
});
