import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../support/ask';
import { becomesTrue } from '../support/eventually';
import { dnsFixture } from '../support/fixtures';
import { createWhenAvailable, whenAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { useInstallation } from './installation';

beforeAll(useProductionTimeLimitsInPrograms);

/** docs/contract.md, “Errors and codes”: 503 within 5 s. */
const maxAnswerMs = 5000;

const dns = dnsFixture();
const on = useInstallation('outage', {
  postgres: { restart_after_crash: 'off' },
  environment: () => ({ DNS_RESOLVERS: dns.address }),
  plan: 'pro',
});
beforeAll(async () => {
  on.service.startSteadyClock();
  for (const path of ['known', 'other', 'unknown', 'unknown-2'])
    await on.createLink(path, { desktop_url: `https://example.com/${path}` });
});
beforeEach(async () => {
  await expectSoon(async () => (await visit('known')).status === 302);
  await visit('other');
  await visit('.well-known/assetlinks.json');
});

/** Waits as long as an answer may take. */
const expectSoon = async (condition: () => Promise<boolean>): Promise<void> =>
  expect(await becomesTrue(condition, maxAnswerMs, on.service.steadyNow)).toBe(true);
const update = (path: string, body: object): Promise<Answer> =>
  whenAvailable(() => on.service.ask(path, { method: 'PUT', key: on.key, body }));

const visit = (path: string): Promise<Answer> => on.service.visit('outage', `/${path}`);

/**
 * Waits until the process has the notifications of all earlier changes, because PostgreSQL delivers them in order. One that comes
 * later would take a project out of the cache.
 */
async function receivesChanges(subdomain: string): Promise<void> {
  const path = `marker-${Date.now()}`;
  const [before, after] = ['https://example.com/before', 'https://example.com/after'];
  const id = await on.createLink(path, { desktop_url: before });
  const location = async () => (await on.service.visit(subdomain, `/${path}`)).headers.location;
  await expectSoon(async () => (await location()) === before);
  await update(`${on.links}/${id}`, { desktop_url: after });
  await expectSoon(async () => (await location()) === after);
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
  await expectSoon(async () => (await visit('unknown')).status === 302);
  const list = await whenAvailable(() => on.service.ask(`${on.links}?search=known&limit=100`, { key: on.key }));
  const { id } = (list.json.data as unknown as { id: string; custom_path: string }[]).find(
    (one) => one.custom_path === 'known',
  )!;
  for (const desktop_url of [`https://example.com/known?${Date.now()}`, 'https://example.com/known']) {
    const write = () => on.service.ask(`${on.links}/${id}`, { method: 'PUT', key: on.key, body: { desktop_url } });
    await expectSoon(async () => (await write()).status === 200);
    await expectSoon(async () => (await visit('known')).headers.location === desktop_url);
  }
}

it('cached links redirect while PostgreSQL is stopped, and others return 503', async () => {
  await on.cluster.stop();
  await expectCachedVisits(4000, 1500);
  await on.cluster.start();
  await expectRecovery();
});

it('custom domains, former hosts and TLS ask requests for known hosts keep working', async () => {
  const domains = `${on.project}/custom-domains`;
  const hostname = 'links.example.com';
  const added = await createWhenAvailable(on.service, domains, on.key, { hostname });
  const record = added['verification_record'] as { name: string; value: string };
  dns.publish(record.name, record.value);
  const domain = `${domains}/${added.id}`;
  const verify = () => on.service.ask(`${domain}/verify`, { method: 'POST', key: on.key });
  expect((await whenAvailable(verify)).status).toBe(200);
  expect((await update(on.project, { subdomain: 'renamed' })).status).toBe(200);
  const hosts = [hostname, 'outage.localhost', 'renamed.localhost'];
  const visit = (host: string) => on.service.ask('/known', { headers: { Host: host } });
  const mayHaveOne = async (host: string) => (await on.service.ask(`/tls/ask?domain=${host}`)).status;
  await receivesChanges('renamed');
  for (const host of hosts) await expectSoon(async () => (await visit(host)).status === 302);
  await on.cluster.stop();
  try {
    for (const end = performance.now() + 3000; performance.now() < end; await delay(50))
      for (const host of hosts) expect([host, (await visit(host)).status]).toEqual([host, 302]);
    for (const host of hosts) expect([host, await mayHaveOne(host)]).toEqual([host, 200]);
    expect(await mayHaveOne('links.example.net')).toBe(404);
    expect(await mayHaveOne('nobody.localhost')).toBe(503);
    expect((await verify()).status).toBe(503);
    expect((await on.service.ask('/health/live', { headers: { Host: 'links.example.net' } })).status).toBe(200);
  } finally {
    await on.cluster.start();
  }
  const remove = () => on.service.ask(domain, { method: 'DELETE', key: on.key });
  await expectSoon(async () => [200, 404].includes((await remove()).status));
  await expectSoon(async () => (await visit(hostname)).status === 404);
  expect((await visit('outage.localhost')).status).toBe(302);
});
