import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfToken } from '../../src/link-traffic/deferred-links/deferred-link';
import { pixel, referrerOf } from '../link-traffic/deferred-links/claim-link';
import { eventually } from '../support/eventually';
import { endAllPrograms, run } from '../support/process';
import { TwoRegions } from '../support/region';
import { Release } from '../support/release';

// Regions are upgraded before their primary (docs/operating/regions.md, “Upgrade”). So their processes meet its former schema.

const enoughMs = 120_000;

let former: Release;
let on: TwoRegions;

beforeAll(async () => {
  former = new Release((migrations) => rmSync(join(migrations, readdirSync(migrations).sort().at(-1)!)));
  on = await TwoRegions.withoutHome(former.run);
  await on.primary.query(`
    WITH owner AS (INSERT INTO accounts (id, name, plan) VALUES (gen_random_uuid(), 'A', 'pro') RETURNING id),
         project AS (INSERT INTO projects (id, account_id, user_id, name, subdomain)
                     SELECT gen_random_uuid(), id, id, 'Shop', 'shop' FROM owner RETURNING id)
    INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
    SELECT gen_random_uuid(), id, 'App', 'com.example.app', '{}' FROM project`);
});
afterAll(async () => {
  await endAllPrograms();
  await on.remove();
  former.remove();
});

/** Stores a link in the primary, and waits until the region redirects it. */
async function serves(path: string): Promise<void> {
  await on.primary.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, android_app_id)
     SELECT gen_random_uuid(), project_id, '${path}', '${path}', 'https://example.com/${path}', id FROM android_apps`,
  );
  const answer = () => on.service.ask(`/${path}`, { headers: { Host: 'shop.localhost' } });
  await eventually(async () => (await answer()).headers.location === `https://example.com/${path}`, enoughMs);
}

/** Waits until the primary has counted a click of the region. */
const countsClicksOf = (path: string) =>
  eventually(async () => {
    const sql = `SELECT FROM single_clicks JOIN dynamic_links link ON link.id = dynamic_link_id WHERE link.name = '${path}'`;
    return (await on.primary.query(sql)).length > 0;
  }, enoughMs);

/** Visits with a phone, and claims the token in the primary until the region has moved it there. */
async function movesTokenOf(path: string): Promise<void> {
  const { headers } = await on.service.ask(`/${path}`, { headers: { Host: 'shop.localhost', 'User-Agent': pixel } });
  const digest = digestOfToken(referrerOf(headers.location!).get('deferred_link')!).toString('hex');
  await eventually(async () => {
    const [claim] = await on.primary.query<{ state: string }>(
      `SELECT request_deferred_link('\\x${digest}', code) AS state FROM regions`,
    );
    return claim!.state === 'moved';
  }, enoughMs);
}

test('serves changes, and delivers clicks and tokens to a primary of the former release', async () => {
  expect(await on.add()).toMatchObject({ region: { name: 'eu', state: 'added' } });
  // Migrates the region.
  await on.serve();
  await serves('before');
  await countsClicksOf('before');
  await movesTokenOf('before');
});

test('reports its state, but is not rebuilt before the primary is upgraded', async () => {
  on.runCommand = run;
  expect(await on.admin('status')).toMatchObject({ region: { name: 'eu', primary: 'up' } });
  await expect(on.add('--rebuild')).rejects.toThrow(
    /^admin .+The primary: it lacks the migrations .+ Upgrade the primary/,
  );
});

test('continues while the primary is upgraded', async () => {
  expect(await run('migrate', { DATABASE_URL: on.primary.url })).toMatch(/^migrated .+\n$/);
  await serves('after');
  await countsClicksOf('after');
  await movesTokenOf('after');
  await on.untilEqual();
  expect(await on.add('--rebuild')).toMatchObject({ region: { state: 'rebuilt' } });
});
