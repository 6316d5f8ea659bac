import { DatabaseProxy } from '../support/database-proxy';
import { eventually, until } from '../support/eventually';
import { hasPreparedStatements, PgBouncer } from '../support/pgbouncer';
import { endAllPrograms, Program } from '../support/process';
import { twoRegionsFixture } from '../support/region';
import { RegionalShop } from './regional-shop';
import { fixture } from '../support/fixtures';

const on = twoRegionsFixture();
// PgBouncer runs as another user, who may not enter the directories of the sockets.
const regional = fixture(() => DatabaseProxy.before(on.region.url));
const direct = fixture(() => DatabaseProxy.before(on.primary.url));
const shop = new RegionalShop(() => on);
const bouncers: PgBouncer[] = [];

beforeAll(() => shop.create());
afterAll(async () => {
  await endAllPrograms();
  await Promise.all(bouncers.map((bouncer) => bouncer.remove()));
});

async function pooled(url: string, mode: 'session' | 'transaction'): Promise<string> {
  const bouncer = await PgBouncer.before(url, mode);
  bouncers.push(bouncer);
  return bouncer.url;
}

const desktop = 'https://example.com/';

test('a region serves, delivers and claims through poolers', async () => {
  // Look-ups are named statements, which older versions pass on in session mode alone.
  const mode = hasPreparedStatements() ? 'transaction' : 'session';
  await on.add();
  const service = await on.serve({
    DATABASE_URL: await pooled(regional.url, mode),
    DATABASE_DIRECT_URL: on.region.url,
    PRIMARY_DATABASE_URL: await pooled(await on.primaryForProcesses(), 'transaction'),
  });
  await shop.aLink('l', { desktop_url: desktop });
  await shop.aLink('a', { android_app_id: await shop.anAndroidApp(), desktop_url: undefined });
  await on.untilEqual();
  for (let visits = 0; visits < 20; visits++) expect(await shop.visit('l')).toBe(desktop);
  await on.api('PUT', `${shop.links}/${shop.ids['l']}`, { desktop_url: `${desktop}changed` });
  await eventually(async () => (await shop.visit('l')) === `${desktop}changed`);
  await until(async () => (await shop.clicksOf('l')) >= 21);
  const token = await shop.aToken('a', service, on.region);
  expect((await shop.claimAt(on.home, token)).status).toBe(200);
  expect((await shop.claimAt(service, token)).status).toBe(404);
  await until(async () => {
    const { replication, change_listener: listener } = await on.checks();
    return replication === 'current' && listener === 'up';
  });
});

test('the primary serves through a pooler in session mode, notifications included', async () => {
  const service = await Program.serving({ DATABASE_URL: await pooled(direct.url, 'session') });
  await shop.aLink('s');
  expect(await shop.visit('s', { by: service })).toBe(`${desktop}s`);
  await on.api('PUT', `${shop.links}/${shop.ids['s']}`, { desktop_url: `${desktop}t` });
  await eventually(async () => (await shop.visit('s', { by: service })) === `${desktop}t`);
  await until(async () => {
    const { json } = await service.ask('/health/ready');
    return (json.data['checks'] as Record<string, string>)['change_listener'] === 'up';
  });
});
