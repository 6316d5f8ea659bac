import { setTimeout as sleep } from 'node:timers/promises';
import type { Click } from '../../../src/clicks/recording/click';
import { newId } from '../../../src/shared/id';
import { aDynamicLink, aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { fixtureOfEach } from '../../support/fixtures';
import { scaled } from '../../support/scale';
import { serviceWithoutRollUps } from './service-without-roll-ups';
import { aClick, analytics, anOpenedLink, batchOf, clicksBy, clicksOn, clicksOnManyLinks } from './counting';

// Clicks of many links are not added to the sums of each link at once. They wait in `clicks_by_link`, and statistics read both.

const { on, account, clicks, clear } = serviceWithoutRollUps();
beforeEach(() => clear());
const project = fixtureOfEach(() => aProject(on, account.key));
const link = fixtureOfEach(async () => anOpenedLink({ id: (await aDynamicLink(on, account.key, project.id)).id }));

const at = Date.parse('2026-11-21T10:20:00Z');
const thatDay = { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' };
const some = (count: number, values: Partial<Click> = {}) =>
  Array.from({ length: count }, (_, number) => aClick({ at: at + number, projectId: project.id, link, ...values }));

/** Rolls clicks up together with those of many other links. */
async function rollUpAmongMany(given: Click[]): Promise<void> {
  await clicks.write([...given, ...clicksOnManyLinks(project.id, at)]);
  await clicks.rollUpAll();
}

const merge = (rows: number, minClicks: number) =>
  on.database.query('SELECT merge_clicks_by_link(1000000, $1, $2, 0)', [rows, minClicks]);

/** Counts the clicks of links: those that wait, and those in sums. */
async function clicksOfLinks(): Promise<{ waiting: number; rows: number; summed: number }> {
  const [row] = await on.database.query<{ waiting: number; rows: number; summed: number }>(
    `SELECT (SELECT coalesce(sum(n), 0)::int FROM clicks_by_link, unnest(times) AS n) AS waiting,
            (SELECT count(*)::int FROM clicks_by_link) AS rows,
            (SELECT coalesce(sum(n), 0)::int FROM clicks_by_quarter, unnest(clicks) AS n
             WHERE dimension = 'platform' AND scope_id <> project_id) AS summed`,
  );
  return row!;
}

const ask = (group: string) =>
  analytics(on, account.key, project.id, { ...thatDay, group_by: group, include_bots: true }, link.id);

test('a roll-up of many links leaves few rows, and complete sums of the project', async () => {
  await rollUpAmongMany(some(7));
  expect(await clicksOfLinks()).toEqual({ waiting: 1008, rows: 32, summed: 0 });
  const { totals } = await analytics(on, account.key, project.id, thatDay);
  expect(totals.clicks).toBe(1008);
});

test('a roll-up of few links adds to their sums at once', async () => {
  await clicks.write(some(7));
  await clicks.rollUpAll();
  expect(await clicksOfLinks()).toEqual({ waiting: 0, rows: 0, summed: 7 });
});

test('statistics of a link are the same before and after each step', async () => {
  const shortLinkId = newId();
  const visits = [
    ...some(3, { referrer: 'a.example', country: 'DE' }),
    ...some(2, { client: { platform: 'ios', browser: null, robot: false }, qr: true }),
    ...some(1, { client: { platform: 'ios', browser: null, robot: true } }),
    ...some(4, { link: anOpenedLink({ ...link, shortLinkId, shortLinkSource: 'api' }) }),
  ];
  const expected = {
    platform: { desktop: 7, ios: 3 },
    browser: { Chrome: 7, null: 3 },
    referrer: { 'a.example': 3, null: 7 },
    country: { DE: 3, null: 7 },
    short_link: { [shortLinkId]: 4, null: 6 },
    source: { api: 4, null: 6 },
    link: { [link.id]: 10 },
  };
  const expectExact = async () => {
    for (const [group, values] of Object.entries(expected)) {
      const answer = await ask(group);
      expect([group, clicksBy(answer), answer.totals]).toEqual([group, values, { clicks: 10, qr_scans: 2, bots: 1 }]);
    }
  };
  await rollUpAmongMany(visits.slice(0, 5));
  await rollUpAmongMany(visits.slice(5));
  await expectExact();
  await merge(2, 1000);
  // Two rows of each bucket, most of which are about equally long, become one.
  const merged = await clicksOfLinks();
  expect([merged.waiting, merged.rows < 50, merged.rows >= 32]).toEqual([2012, true, true]);
  await expectExact();
  await merge(1, 5);
  // Only this link has so many clicks.
  expect(await clicksOfLinks()).toMatchObject({ waiting: 2002, summed: 9 });
  await expectExact();
  await merge(1, 1);
  expect(await clicksOfLinks()).toMatchObject({ waiting: 0, rows: 0 });
  await expectExact();
});

test('an upkeep merges rows once a link has many of them', async () => {
  for (let time = 0; time < 16; time++) {
    expect(await clicks.repository.mergeSome()).toBe(false);
    await rollUpAmongMany(some(8));
  }
  expect(await clicks.repository.mergeSome()).toBe(true);
  expect(await clicks.repository.mergeSome()).toBe(false);
  expect(await clicksOfLinks()).toMatchObject({ waiting: 16 * 1001, summed: 128 });
  expect((await ask('platform')).totals.clicks).toBe(128);
});

test('any number of processes write, roll up and merge at once, and connections break: each click counts once', async () => {
  const processes = Array.from({ length: 3 }, () => clicksOn(on.database));
  const opened = Array.from({ length: 1500 }, () => anOpenedLink());
  let over = false;
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!over) await work().catch(() => {});
  };
  const upkeep = processes.map(({ repository }, number) =>
    repeat(async () => {
      await repository.rollUp(1 + 1500 * number);
      if (number > 0) await repository.mergeSome();
      else await merge(3, 4);
    }),
  );
  let kills = 0;
  const killer = repeat(async () => {
    // Each pause is longer, so that a slow machine gets done.
    await sleep(30 + kills++);
    await on.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query ~ 'roll_up_fresh|merge_clicks|record_clicks' AND pid <> pg_backend_pid()
       ORDER BY md5(pid::text || $1) LIMIT 1`,
      [String(kills)],
    );
  });
  const perWriter = scaled(20);
  const writers = processes.map(async ({ repository }) => {
    const writer = newId();
    for (let number = 1; number <= perWriter; number++) {
      const batch = batchOf(
        Array.from({ length: 1200 }, (_, click) =>
          aClick({ at: at + click, projectId: project.id, link: click < 10 ? link : opened[(click * number) % 1500]! }),
        ),
      );
      // A batch whose answer was lost is sent again.
      await eventually(() =>
        repository.record(writer, number, batch).then(
          () => true,
          () => false,
        ),
      );
    }
  });
  await Promise.all(writers);
  over = true;
  await Promise.all([...upkeep, killer]);
  await Promise.all(processes.map(({ close }) => close()));
  await clicks.rollUpAll();
  const written = 3 * perWriter * 1200;
  const { totals } = await analytics(on, account.key, project.id, thatDay);
  expect(totals.clicks).toBe(written);
  const { waiting, summed } = await clicksOfLinks();
  expect(waiting + summed).toBe(written);
  expect((await ask('browser')).totals.clicks).toBe(3 * perWriter * 10);
});

test('waiting clicks of a deleted project are purged', async () => {
  await rollUpAmongMany(some(5));
  const other = await aProject(on, account.key);
  await clicks.write([aClick({ at, projectId: other.id, link: anOpenedLink() }), ...clicksOnManyLinks(project.id, at)]);
  await clicks.rollUpAll();
  await on.api('delete', `/projects/${project.id}`, account.key).expect(200);
  while (!(await clicks.repository.purgeSome(7)));
  expect(await clicksOfLinks()).toEqual({ waiting: 1, rows: 1, summed: 0 });
});

test('waiting clicks are dropped after their retention', async () => {
  const now = new Date();
  const old = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 28);
  await clicks.repository.createPartitions([old]);
  await clicks.write([...clicksOnManyLinks(project.id, old), ...some(1, { at: now.getTime() })]);
  await clicks.rollUpAll();
  expect(await clicksOfLinks()).toMatchObject({ waiting: 1002 });
  const dropped = await clicks.repository.dropPartitions(2);
  expect(dropped).toContain(`clicks_by_link_${new Date(old).toISOString().slice(0, 7).replace('-', '_')}`);
  expect(await clicksOfLinks()).toMatchObject({ waiting: 1 });
});
