/** @needs helm */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { chart, template } from '../support/chart-tools';
import { configVariables } from '../support/config-variables';

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  $ref?: string;
  items?: Schema;
  not?: Schema;
  enum?: string[];
  definitions?: Record<string, Schema>;
}

const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Schema;
const defaults = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Record<string, unknown>;
const resolved = (one: Schema): Schema => (one.$ref ? schema.definitions![one.$ref.split('/').pop()!]! : one);

/** Kubernetes defines the names of quantities. */
const quantity = /(\.resources\.(?:requests|limits))\..*$/;

const provider = {
  jwksUrl: 'https://id.example.com/jwks.json',
  issuer: 'https://id.example.com/',
  audience: 'https://api.example.com',
};

it.each<[what: string, values: object]>([
  ['rolls', { rolls: ['all'] }],
  ['roles', { roles: [] }],
  ['roles', { roles: ['all', 'api'] }],
  ['apiBaseUrl', { apiBaseUrl: 'https://api.example.com/v1' }],
  ['linkBaseUrl', { linkBaseUrl: 'https://user:secret@go.example.com' }],
  ['image/tag', { image: { tag: 'latest' } }],
  ['image/digest', { image: { digest: 'sha256:abc' } }],
  ['database', { database: { url: 'postgres://user:password@host/db' } }],
  ['database/existingSecret', { database: { existingSecret: 'postgres://user:password@host/db' } }],
  ['redis/existingSecret', { redis: { existingSecret: 'redis://:password@host' } }],
  ['clickhouse/existingSecret', { clickhouse: { existingSecret: 'http://user:password@host/d' } }],
  ['pictures/existingSecret', { pictures: { existingSecret: 'https://key:secret@s3.example.com/b' } }],
  ['pictures/region', { pictures: { region: 'EU' } }],
  ['apiKeyPepper', { apiKeyPepper: { value: 'p'.repeat(32) } }],
  ['identityProvider', { identityProvider: { ...provider, jwksUrl: '' } }],
  ['identityProvider', { identityProvider: { ...provider, jwksConfigMap: 'keys' } }],
  ['identityProvider/jwksUrl', { identityProvider: { ...provider, jwksUrl: 'http://id.example.com/jwks' } }],
  ['identityProvider/jwksUrl', { identityProvider: { ...provider, jwksUrl: 'https://user:pw@id.example.com' } }],
  ['identityProvider/algorithms', { identityProvider: { ...provider, algorithms: ['HS256'] } }],
  ['settings/API_KEYS_PER_ACCOUNT', { settings: { API_KEYS_PER_ACCOUNT: 'many' } }],
  ['extraEnv', { extraEnv: [{ name: 'DASHBOARD_ISSUER', value: 'https://id.example.com' }] }],
  ['settings', { settings: { API_KEY_PEPPER: 'p'.repeat(32) } }],
  ['settings/RATE_LIMIT_PER_MINUTE', { settings: { RATE_LIMIT_PER_MINUTE: 0 } }],
  ['settings/ALLOWED_ORIGINS', { settings: { ALLOWED_ORIGINS: '*' } }],
  ['settings/SHUTDOWN_DELAY_SECONDS', { settings: { SHUTDOWN_DELAY_SECONDS: 0 } }],
  ['settings/OTEL_EXPORTER_OTLP_ENDPOINT', { settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://token@collector' } }],
  ['settings/QUOTA_FREE_PROJECTS', { settings: { QUOTA_FREE_PROJECTS: 'none' } }],
  ['settings/TRUSTED_PROXIES', { settings: { TRUSTED_PROXIES: 'ingress' } }],
  ['settings/TRUSTED_PROXIES', { settings: { TRUSTED_PROXIES: '10.0.0.0/33' } }],
  ['settings/TRUSTED_PROXIES', { settings: { COUNTRY_HEADER: 'CF-IPCountry' } }],
  ['identityProvider/issuer', { settings: { CONSOLE_CLIENT_ID: 'console' } }],
  ['roles', { database: { primaryUrlKey: 'primary' } }],
  ['roles', { database: { primaryUrlKey: 'primary' }, roles: ['api', 'traffic'] }],
  ['all/replicas', { all: { replicas: 0 } }],
  ['all/resources/requests', { all: { resources: { requests: { memory: 'much' } } } }],
  ['all/podDisruptionBudget', { all: { podDisruptionBudget: { maxUnavailable: 0 } } }],
  ['imports/process', { imports: { process: 'separate' } }],
  ['imports/replicas', { imports: { replicas: 0 } }],
  ['startupSeconds', { startupSeconds: 30 }],
  ['runAsUser', { runAsUser: 0 }],
  ['ingress/certManager', { ingress: { certManager: { kind: 'Let’s Encrypt' } } }],
  ['metrics/port', { metrics: { port: 3000 } }],
  ['networkPolicy/ingressFrom', { networkPolicy: { ingressFrom: [{ namespace: 'ingress-nginx' }] } }],
  ['fullnameOverride', { fullnameOverride: 'Signpost' }],
])('an invalid value is refused by name: %s: %j', (what, values) => {
  const { status, stderr } = template({ file: 'minimal', values });
  expect(status).not.toBe(0);
  expect(stderr).toContain("values don't meet the specifications of the schema");
  expect(stderr).toContain(what);
});

it.each([
  { TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16,fd00::/8, ::ffff:10.0.0.1, loopback' },
  { TRUSTED_PROXIES: '::1', COUNTRY_HEADER: 'CF-IPCountry' },
])('%j is accepted', (proxies) => {
  expect(template({ file: 'minimal', values: { settings: proxies } }).stderr).toBe('');
});

it('fewer pods at most than at least are refused', () => {
  const autoscaling = { enabled: true, minReplicas: 11, maxReplicas: 10 };
  const { status, stderr } = template({ file: 'minimal', values: { all: { autoscaling } } });
  expect(status).not.toBe(0);
  expect(stderr).toContain('all.autoscaling.minReplicas is 11. It must not exceed maxReplicas, which is 10.');
});

it('the schema lists exactly the values with a default', () => {
  const leaves = (value: unknown, at: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, at === '' ? key : `${at}.${key}`))
      : [at];
  const inSchema = (one: Schema, at: string): string[] => {
    const { properties, additionalProperties } = resolved(one);
    if (!properties) return [at];
    expect([at, additionalProperties]).toEqual([at, false]);
    return Object.entries(properties).flatMap(([key, inner]) => inSchema(inner, at === '' ? key : `${at}.${key}`));
  };
  // Quotas have defaults in the program.
  const named = (paths: string[]): string[] => [
    ...new Set(
      paths
        .map((path) => path.replace(quantity, '$1'))
        .filter((path) => path !== 'global' && !path.startsWith('settings.QUOTA_')),
    ),
  ];
  expect(named(inSchema(schema, '')).sort()).toEqual(named(leaves(defaults, '')).sort());
  // Only the required values are missing from the defaults.
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  validate(defaults);
  expect([...new Set(validate.errors!.map(({ instancePath }) => instancePath))]).toEqual([
    '/apiBaseUrl',
    '/linkBaseUrl',
  ]);
});

const settings = Object.keys(schema.properties!['settings']!.properties!);

it('settings are variables of the program', () => {
  const known = configVariables();
  expect(settings.filter((name) => !known.includes(name))).toEqual([]);
});

/** Returns the variables that the chart sets, from `settings` and from other values. */
function settableVariables(): string[] {
  const templates = ['_helpers.tpl', 'deployment.yaml'].map((file) =>
    readFileSync(join(chart, 'templates', file), 'utf8'),
  );
  return [
    ...settings,
    ...templates.flatMap((text) => [...text.matchAll(/^ *- name: ([A-Z0-9_]+)$/gm)].map(([, name]) => name!)),
  ];
}

it('extraEnv refuses exactly the variables that other values set', () => {
  const { not } = resolved(schema.properties!['extraEnv']!.items!).properties!['name']!;
  expect([...not!.enum!].sort()).toEqual(settableVariables().sort());
});

it('every variable of the program can be set, except those unusable in a cluster', () => {
  const settable = settableVariables();
  const notHere = ['HOST', 'DATA_DIR', 'ALLOW_EMBEDDED_DATABASE'];
  expect(configVariables().filter((name) => !settable.includes(name))).toEqual(notHere);
});

it('the README of the chart describes every value', () => {
  const readme = readFileSync(join(chart, 'README.md'), 'utf8');
  const described = [...readme.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  );
  const roles = ['all', 'api', 'traffic'];
  const paths = (one: Schema, at: string): string[] =>
    Object.entries(resolved(one).properties ?? {}).flatMap(([key, inner]) => {
      const path = at === '' ? key : `${at}.${key}`;
      const deeper = paths(inner, path);
      return deeper.length > 0 ? deeper : [path];
    });
  const expected = paths(schema, '')
    .filter((path) => path !== 'global')
    .map((path) => (roles.includes(path.split('.')[0]!) ? path.replace(/^[a-z]+/, 'ROLE') : path))
    .map((path) => path.replace(/QUOTA_.*/, 'QUOTA_…').replace(quantity, '$1'));
  expect([...new Set(described)].sort()).toEqual([...new Set(expected)].sort());
});
