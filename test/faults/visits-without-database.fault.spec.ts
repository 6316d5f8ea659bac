import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from '../support/cluster';
import { DnsServer } from '../support/dns-server';
import type { Answer } from '../support/ask';
import { becomesTrue } from '../support/eventually';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { createWhenAvailable, whenAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';

beforeAll(useProductionTimeLimitsInPrograms);

/** docs/contract.md, “Errors and codes”: 503 within 5 s. */
const maxAnswerMs = 5000;

let cluster: Cluster;
let dns: DnsServer;
let service: Program;
let key: string;
let links: string;

beforeAll(async () => {
  cluster = await Cluster.create({ restart_after_crash: 'off' });
  dns = await DnsServer.start();
  const environment = { DATABASE_URL: cluster.url, DNS_RESOLVERS: dns.address };
  service = await Program.serving(environment);
  service.startSteadyClock();
  key = (await anAccountByShell(environment)).api_key.key;
  const body = { name: 'Outage', subdomain: 'outage' };
  links = `/api/v1/projects/${(await create('/api/v1/projects', body)).id}/links`;
  for (const path of ['known', 'other', 'unknown', 'unknown-2']) {
    await create(links, { name: path, custom_path: path, desktop_url: `https://example.com/${path}` });
  }
});
afterAll(async () => {
  await endAllPrograms();
  await cluster.remove();
  await dns.stop();
});
beforeEach(async () => {
  expect(await becomesTrue(async () => (await visit('known')).status === 302, maxAnswerMs, service.steadyNow)).toBe(
    true,
  );
  await visit('other');
  await visit('.well-known/assetlinks.json');
});

const create = (path: string, body: object) => createWhenAvailable(service, path, key, body);
const update = (path: string, body: object): Promise<Answer> =>
  whenAvailable(() => service.ask(path, { method: 'PUT', key, body }));

const visit = (path: string): Promise<Answer> => service.visit('outage', `/${path}`);

/**
 * Waits until the process has the notifications of all earlier changes, because PostgreSQL delivers them in order. One that comes
 * later would take a project out of the cache.
 */
async function receivesChanges(subdomain: string): Promise<void> {
  const body = { name: 'Marker', custom_path: `marker-${Date.now()}`, desktop_url: 'https://example.com/before' };
  const { id } = await create(links, body);
  const location = async () => (await service.visit(subdomain, `/${body.custom_path}`)).headers.location;
  expect(await becomesTrue(async () => (await location()) === body.desktop_url, maxAnswerMs, service.steadyNow)).toBe(
    true,
  );
  const desktop_url = 'https://example.com/after';
  await update(`${links}/${id}`, { desktop_url });
  expect(await becomesTrue(async () => (await location()) === desktop_url, maxAnswerMs, service.steadyNow)).toBe(true);
}

/** Visits repeatedly; expects redirects for cached links and 503 for others. */
async function expectCachedVisits(milliseconds: number, slowest: number): Promise<void> {
  const end = performance.now() + milliseconds;
  let visits = 0;
  while (performance.now() < end) {
    const [known, other, file, unknown] = await Promise.all(
      ['known', 'other', '.well-known/assetlinks.json', 'unknown'].map(visit),
    );
    visits += 4;
    expect([known!.status, known!.headers.location]).toEqual([302, 'https://example.com/known']);
    expect([other!.status, other!.headers.location]).toEqual([302, 'https://example.com/other']);
    expect([file!.status, file!.text]).toEqual([200, '[]']);
    expect(Math.max(known!.tookSteady, other!.tookSteady, file!.tookSteady)).toBeLessThan(slowest);
    expect([unknown!.status, unknown!.headers['retry-after']]).toEqual([503, '5']);
    expect(unknown!.tookSteady).toBeLessThan(maxAnswerMs);
    await delay(20);
  }
  console.info(`${visits} visits during ${milliseconds / 1000} s without a database`);
}

async function expectRecovery(): Promise<void> {
  expect(await becomesTrue(async () => (await visit('unknown')).status === 302, maxAnswerMs, service.steadyNow)).toBe(
    true,
  );
  const body = { desktop_url: `https://example.com/known?${Date.now()}` };
  const list = await whenAvailable(() => service.ask(`${links}?search=known&limit=100`, { key }));
  const link = (list.json.data as unknown as { id: string; custom_path: string }[]).find(
    (one) => one.custom_path === 'known',
  )!;
  const write = () => service.ask(`${links}/${link.id}`, { method: 'PUT', key, body });
  expect(await becomesTrue(async () => (await write()).status === 200, maxAnswerMs, service.steadyNow)).toBe(true);
  expect(
    await becomesTrue(
      async () => (await visit('known')).headers.location === body.desktop_url,
      maxAnswerMs,
      service.steadyNow,
    ),
  ).toBe(true);
  await update(`${links}/${link.id}`, { desktop_url: 'https://example.com/known' });
  expect(
    await becomesTrue(
      async () => (await visit('known')).headers.location === 'https://example.com/known',
      maxAnswerMs,
      service.steadyNow,
    ),
  ).toBe(true);
}

it('cached links redirect while PostgreSQL is stopped, and others return 503', async () => {
  await cluster.stop();
  await expectCachedVisits(4000, 1500);
  await cluster.start();
  await expectRecovery();
});

it('custom domains, former hosts and TLS ask requests for known hosts keep working', async () => {
  const projectPath = links.replace('/links', '');
  const domains = `${projectPath}/custom-domains`;
  const hostname = 'links.example.com';
  const added = await create(domains, { hostname });
  const record = added['verification_record'] as { name: string; value: string };
  dns.publish(record.name, record.value);
  const domain = `${domains}/${added.id}`;
  const verify = () => service.ask(`${domain}/verify`, { method: 'POST', key });
  expect((await whenAvailable(verify)).status).toBe(200);
  expect((await update(projectPath, { subdomain: 'renamed' })).status).toBe(200);
  const hosts = [hostname, 'outage.localhost', 'renamed.localhost'];
  const visit = (host: string) => service.ask('/known', { headers: { Host: host } });
  const mayHaveOne = async (host: string) => (await service.ask(`/tls/ask?domain=${host}`)).status;
  await receivesChanges('renamed');
  for (const host of hosts)
    expect(await becomesTrue(async () => (await visit(host)).status === 302, maxAnswerMs, service.steadyNow)).toBe(
      true,
    );
  await cluster.stop();
  try {
    for (const end = performance.now() + 3000; performance.now() < end; await delay(50))
      for (const host of hosts) expect([host, (await visit(host)).status]).toEqual([host, 302]);
    for (const host of hosts) expect([host, await mayHaveOne(host)]).toEqual([host, 200]);
    expect(await mayHaveOne('links.example.net')).toBe(404);
    expect(await mayHaveOne('nobody.localhost')).toBe(503);
    expect((await verify()).status).toBe(503);
    expect((await service.ask('/health/live', { headers: { Host: 'links.example.net' } })).status).toBe(200);
  } finally {
    await cluster.start();
  }
  const remove = () => service.ask(domain, { method: 'DELETE', key });
  expect(
    await becomesTrue(async () => [200, 404].includes((await remove()).status), maxAnswerMs, service.steadyNow),
  ).toBe(true);
  expect(await becomesTrue(async () => (await visit(hostname)).status === 404, maxAnswerMs, service.steadyNow)).toBe(
    true,
  );
  expect((await visit('outage.localhost')).status).toBe(302);
});
