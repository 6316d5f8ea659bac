/** @needs helm */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root, render } from '../support/chart-tools';

const text = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns the TLS ask URL and the upstream of a Caddyfile. */
function targetsOf(caddyfile: string): { ask: URL; upstream: URL } {
  const [, ask] = /on_demand_tls \{[^}]*\bask (\S+)/.exec(caddyfile)!;
  const [, upstream] = /\breverse_proxy (\S+)/.exec(caddyfile)!;
  expect(caddyfile).toMatch(/^https:\/\/ \{[^}]*\btls \{\s*on_demand\s*\}/m);
  const depth = [...caddyfile.replace(/#.*$/gm, '')].reduce(
    (open, at) => open + (at === '{' ? 1 : at === '}' ? -1 : 0),
    0,
  );
  expect(depth).toBe(0);
  return { ask: new URL(ask!), upstream: new URL(`http://${upstream}`) };
}

test('the Caddyfile of Compose uses the service for TLS ask and requests', () => {
  const { ask, upstream } = targetsOf(text('deploy/caddy/Caddyfile'));
  const compose = parse(text('docker-compose.yml')) as { services: Record<string, object> };
  expect(Object.keys(compose.services)).toContain(ask.hostname);
  expect([ask.pathname, ask.host]).toEqual(['/tls/ask', upstream.host]);
});

interface Manifest {
  kind: string;
  metadata: { name: string; namespace: string };
  data?: Record<string, string>;
  spec: { ports: { port: number }[] };
}

test('the Caddyfile of Kubernetes uses the link traffic service of the chart', () => {
  const manifests = parseAllDocuments(text('deploy/caddy/kubernetes.yaml')).map((one) => {
    expect(one.errors).toEqual([]);
    return one.toJS() as Manifest;
  });
  expect(manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'PersistentVolumeClaim', 'Deployment', 'Service']);
  const { ask, upstream } = targetsOf(manifests[0]!.data!['Caddyfile']!);
  const service = render({ file: 'production', release: 'signpost' }).find(
    ({ kind, metadata }) => kind === 'Service' && metadata.name.endsWith('-traffic'),
  )!;
  expect(ask.hostname).toBe(`${service.metadata.name}.${service.metadata.namespace}`);
  expect([ask.pathname, ask.host]).toEqual(['/tls/ask', upstream.host]);
  expect(service.spec.ports.map(({ port }) => port)).toContain(Number(ask.port || 80));
});

test('both use the same Caddy image', () => {
  const images = ['docker-compose.yml', 'deploy/caddy/kubernetes.yaml'].map(
    (path) => /image: (caddy:\S+)/.exec(text(path))![1],
  );
  expect(new Set(images).size).toBe(1);
  expect(images[0]).toMatch(/^caddy:\d+\.\d+\.\d+-alpine$/);
});
