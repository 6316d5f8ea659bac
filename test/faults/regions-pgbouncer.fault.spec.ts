import { digestOfToken } from '../../src/link-traffic/deferred-links/deferred-link';
import { pixel, referrerOf } from '../link-traffic/deferred-links/claim-link';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually, until } from '../support/eventually';
import { hasPreparedStatements, PgBouncer } from '../support/pgbouncer';
import { endAllPrograms, Program } from '../support/process';
import { TwoRegions } from '../support/region';

const enoughMs = 120_000;

let on: TwoRegions;
let regional: DatabaseProxy;
let direct: DatabaseProxy;
let links: string;
let androidApp: string;
const bouncers: PgBouncer[] = [];

beforeAll(async () => {
  on = await TwoRegions.start();
  // PgBouncer runs as another user, who may not enter the directories of the sockets.
  [regional, direct] = [await DatabaseProxy.before(on.region.url), await DatabaseProxy.before(on.primary.url)];
  const project = `/projects/${(await on.api('POST', '/projects', { name: 'Shop', subdomain: 'shop' })).id}`;
  links = `${project}/links`;
  const app = { name: 'App', package_name: 'com.example.app', sha_fingerprints: [Array(32).fill('AB').join(':')] };
  androidApp = (await on.api('POST', `${project}/android-apps`, app)).id;
});
afterAll(async () => {
  await endAllPrograms();
  await Promise.all(bouncers.map((bouncer) => bouncer.remove()));
  await Promise.all([regional?.close(), direct?.close()]);
  await on.remove();
});

async function pooled(url: string, mode: 'session' | 'transaction'): Promise<string> {
  const bouncer = await PgBouncer.before(url, mode);
  bouncers.push(bouncer);
  return bouncer.url;
}

async function visit(service: Program, path: string): Promise<string> {
  const { status, headers } = await service.ask(`/${path}`, {
    headers: { Host: 'shop.localhost', 'User-Agent': pixel },
  });
  return headers.location ?? String(status);
}

const claimAt = (service: Program, token: string) =>
  service.ask('/deferred-links/claim', { method: 'POST', headers: { Host: 'shop.localhost' }, body: { token } });

test('a region serves, delivers and claims through poolers', async () => {
  // Look-ups are named statements, which older versions pass on in session mode alone.
  const mode = hasPreparedStatements() ? 'transaction' : 'session';
  await on.add();
  const service = await on.serve({
    DATABASE_URL: await pooled(regional.url, mode),
    DATABASE_DIRECT_URL: on.region.url,
    PRIMARY_DATABASE_URL: await pooled(await on.primaryForProcesses(), 'transaction'),
  });
  const desktop = 'https://example.com/';
  const { id } = await on.api('POST', links, { name: 'L', custom_path: 'l', desktop_url: desktop });
  await on.api('POST', links, { name: 'A', custom_path: 'a', android_app_id: androidApp });
  await on.untilEqual();
  for (let visits = 0; visits < 20; visits++) expect(await visit(service, 'l')).toBe(desktop);
  await on.api('PUT', `${links}/${id}`, { desktop_url: `${desktop}changed` });
  await eventually(async () => (await visit(service, 'l')) === `${desktop}changed`, enoughMs);
  await until(async () => {
    const { totals } = (await on.api('GET', `${links}/${id}/analytics`)) as unknown as { totals: { clicks: number } };
    return totals.clicks >= 21;
  }, enoughMs);
  const token = referrerOf(await visit(service, 'a')).get('deferred_link')!;
  const written = `SELECT FROM deferred_links WHERE token_digest = '\\x${digestOfToken(token).toString('hex')}'`;
  await until(async () => (await on.region.query(written)).length === 1, enoughMs);
  await until(async () => (await claimAt(on.home, token)).status === 200, enoughMs);
  expect((await claimAt(service, token)).status).toBe(404);
  await until(async () => {
    const { replication, change_listener: listener } = await on.checks();
    return replication === 'current' && listener === 'up';
  }, enoughMs);
});

test('the primary serves through a pooler in session mode, notifications included', async () => {
  const service = await Program.serving({ DATABASE_URL: await pooled(direct.url, 'session') });
  const { id } = await on.api('POST', links, { name: 'S', custom_path: 's', desktop_url: 'https://example.com/s' });
  expect(await visit(service, 's')).toBe('https://example.com/s');
  await on.api('PUT', `${links}/${id}`, { desktop_url: 'https://example.com/t' });
  await eventually(async () => (await visit(service, 's')) === 'https://example.com/t', enoughMs);
  await until(async () => {
    const { json } = await service.ask('/health/ready');
    return (json.data['checks'] as Record<string, string>)['change_listener'] === 'up';
  }, enoughMs);
});
