import type { ImportProcess } from '../../../src/app/import-process';
import { ImportProcesses } from '../../../src/imports/model/import-processes';
import { BackgroundJobs } from '../../../src/shared/background-jobs';
import { analytics } from '../../clicks/recording/counting';
import { aDynamicLink, aProject } from '../../support/builders';
import { createDatabase } from '../../support/database';
import { startImports } from '../../support/imports';
import { sendRequest } from '../../support/raw-http';
import { aService, withService } from '../../support/service';
import { fixture } from '../../support/fixtures';
const database = fixture(() => createDatabase());
const api = fixture(() => aService({ ROLE: 'api' }, database));
const traffic = fixture(() => aService({ ROLE: 'traffic' }, database));
const imports = fixture(() => startImports(api));
const account = fixture(() => api.anAccount());
const project = fixture(() => aProject(api, account.key));
beforeAll(async () => {
  await aDynamicLink(api, account.key, project.id, { custom_path: 'sale', desktop_url: 'https://example.com/' });
});

test('each role refuses the other part as misdirected (RFC 9110, section 15.5.20)', async () => {
  const answers = [await api.visit(project.subdomain, '/sale'), await traffic.api('get', '/projects', account.key)];
  for (const { status, body, headers } of answers) {
    expect([status, body.error.code]).toEqual([421, 'NOT_FOUND']);
    expect(headers['x-request-id']).toBeTruthy();
  }
});

const urlOfImports = (): string => `http://127.0.0.1:${imports.port}`;

const probes: [request: string, status: number, code?: string][] = [
  ['GET /health/live', 200],
  ['GET /health/ready?x=1', 200],
  ['POST /health/ready', 405, 'METHOD_NOT_ALLOWED'],
  ['GET /health/unknown', 404, 'NOT_FOUND'],
  ['GET /health/ready/traffic/', 404, 'NOT_FOUND'],
  ['GET /health/__proto__', 404, 'NOT_FOUND'],
];

test.each<[role: string, ...(typeof probes)[number]]>([
  ...['link traffic', 'imports'].flatMap((role) =>
    probes.map((probe) => [role, ...probe] as [string, ...typeof probe]),
  ),
  ['link traffic', 'GET /health/ready/traffic', 200],
  ['imports', 'GET /health/ready/traffic', 404, 'NOT_FOUND'],
  ['imports', 'GET /', 404, 'NOT_FOUND'],
  ['imports', 'GET /api/v1/projects', 404, 'NOT_FOUND'],
])('a process of %s answers %s', async (role, request, status, code = undefined) => {
  const answer = await sendRequest(role === 'imports' ? urlOfImports() : traffic.url, request);
  expect([answer.status, (answer.body['error'] as { code: string } | undefined)?.code]).toEqual([status, code]);
  expect(answer.headers['x-request-id']).toBeTruthy();
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test('probes have the same content in all roles, and HEAD none', async () => {
  const [ofApi, ofTraffic] = await Promise.all(
    [api, traffic].map(async ({ url }) => (await fetch(`${url}/health/live`)).json()),
  );
  expect(ofTraffic).toEqual(ofApi);
  const head = await fetch(`${traffic.url}/health/live`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

/** Runs `work` with another process of imports. */
async function withImports(settings: Record<string, string>, work: (other: ImportProcess) => Promise<void>) {
  const other = await startImports(api, settings);
  try {
    await work(other);
  } finally {
    await other.stop();
    api.service.app.get(ImportProcesses).wake = () => imports.wake();
  }
}

test('a process of imports counts its probes and rows, and has no cache', () =>
  withImports({ METRICS_PORT: '0' }, async (other) => {
    await fetch(`http://127.0.0.1:${other.port}/health/ready`);
    const text = await (await fetch(`http://127.0.0.1:${other.metricsPort}/metrics`)).text();
    expect(text).toMatch(/signpost_http_requests_total\{listener="api",method="GET",route="\/health\/ready",.*\} 1/);
    expect(text).toContain('signpost_import_rows_total 0');
    expect(text).toContain('signpost_import_api_requests_total{result="limited"} 0');
    expect(text).not.toMatch(/^signpost_link_cache|^signpost_change_listener_up/m);
  }));

test('a process of imports leaves purges and upkeep to processes of the API', async () => {
  const every = jest.spyOn(BackgroundJobs.prototype, 'every');
  await withImports({}, async () => {
    const timers = every.mock.results.map(({ value }: { value?: NodeJS.Timeout }) => value);
    expect(timers.length).toBeGreaterThan(0);
    expect(timers.filter((timer) => timer !== undefined)).toEqual([]);
  }).finally(() => every.mockRestore());
});

test('a process of link traffic counts its requests, and writes clicks before it stops', async () => {
  const link = await aDynamicLink(api, account.key, project.id, { custom_path: 'counted' });
  await withService({ ROLE: 'traffic', METRICS_PORT: '0' }, database, async (other) => {
    await other.visit(project.subdomain, '/counted').expect(302);
    await fetch(`${other.url}/health/ready`);
    const text = await (await fetch(`http://127.0.0.1:${other.service.metricsPort}/metrics`)).text();
    expect(text).toMatch(/signpost_http_requests_total\{listener="traffic",method="GET",.*status="302"\} 1/);
    expect(text).toMatch(/signpost_http_requests_total\{listener="api",method="GET",route="\/health\/ready",/);
    expect(text).toContain('signpost_link_cache_entries{cache="links"} 1');
    expect(text).toContain('signpost_change_listener_up 1');
  });
  const { totals } = await analytics(api, account.key, project.id, { include_bots: true }, link.id);
  expect(totals.clicks).toBe(1);
});
