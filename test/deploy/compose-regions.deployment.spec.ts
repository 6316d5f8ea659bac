import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { readConfig } from '../../src/app/settings/config';
import { root } from '../support/chart-tools';
import { configVariables } from '../support/config-variables';

interface ComposeService {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const text = read('docker-compose.regions.yml');
const services = (parse(text, { merge: true }) as { services: Record<string, ComposeService> }).services;
const single = (parse(read('docker-compose.yml')) as { services: Record<string, ComposeService> }).services;

test('the file is valid YAML, and adds a region to the services of docker-compose.yml', () => {
  expect(parseDocument(text, { uniqueKeys: true }).errors).toEqual([]);
  expect(Object.keys(services).filter((name) => name in single)).toEqual(['postgres']);
  expect(services['postgres']!.command).toContain('wal_level=logical');
  expect(services['postgres-eu']!.image).toBe(single['postgres']!.image);
  expect(services['signpost-eu']!.image).toBe(single['signpost']!.image);
});

test('the default of docker-compose.yml stays without logical replication', () => {
  expect(read('docker-compose.yml')).not.toContain('wal_level');
});

test('the region is added before its process starts, with the same valid settings', () => {
  const [add, serve] = [services['region-add']!, services['signpost-eu']!];
  expect(add.command).toEqual(['node', 'dist/admin.js', 'region', 'add', '--name', 'eu']);
  expect(serve.depends_on).toEqual({ 'region-add': { condition: 'service_completed_successfully' } });
  expect(add.environment).toEqual(serve.environment);
  expect(Object.keys(serve.environment!).filter((name) => !configVariables().includes(name))).toEqual([]);
  const config = readConfig(serve.environment);
  expect(config).toMatchObject({ production: true, role: 'traffic' });
  expect(new URL(config.databaseUrl!).hostname).toBe('postgres-eu');
  expect(new URL(config.primaryDatabaseUrl!).hostname).toBe('postgres');
});

test('ports are published on loopback only, and file systems are read-only', () => {
  for (const [name, { ports = [], read_only }] of Object.entries(services)) {
    expect([name, ports.every((port) => port.startsWith('127.0.0.1:'))]).toEqual([name, true]);
    if (name !== 'postgres') expect([name, read_only]).toEqual([name, true]);
  }
});
