import { Client } from 'pg';
import { ClickUpkeep } from '../../../src/clicks/recording/click-upkeep';
import { newId } from '../../../src/shared/id';
import { aDynamicLink, aProject } from '../../support/builders';
import { onServer } from '../../support/database';
import { atEndOfTest } from '../../support/end-of-test';
import { fixtureOfEach } from '../../support/fixtures';
import { withoutTable, withTransaction } from '../../support/other-session';
import { aService } from '../../support/service';
import { describeClickStore } from './click-store.contract';
import { aClick, anOpenedLink, anyClick, batchOf, clicksOfRow, clicksOn } from './counting';
import { FakeClicks } from './fake-clicks';
import { fc } from '../../support/properties';
import { serviceWithoutRollUps } from './service-without-roll-ups';

/** Before the service creates partitions. A month may end afterwards. */
const beforeStart = new Date();
const { on, account, clicks, clear } = serviceWithoutRollUps();
beforeEach(() => clear());
const project = fixtureOfEach(() => aProject(on, account.key));
const link = fixtureOfEach(async () => anOpenedLink({ id: (await aDynamicLink(on, account.key, project.id)).id }));

const some = (count: number, at = '2026-11-21T10:00:00Z') =>
  Array.from({ length: count }, (_, number) =>
    aClick({ at: Date.parse(at) + number, projectId: project.id, link, country: number % 2 ? 'DE' : null }),
  );

/** Counts the clicks of each table. */
async function stored(): Promise<{ clicks: number; fresh: number; counted: number }> {
  const [row] = await on.database.query<{ clicks: number; fresh: number; counted: number }>(
    `SELECT (SELECT coalesce(sum(${clicksOfRow}), 0)::int FROM clicks) AS clicks,
            (SELECT coalesce(sum(${clicksOfRow}), 0)::int FROM clicks JOIN fresh_click_batches ON id = batch_id) AS fresh,
            (SELECT coalesce(sum(n), 0)::int FROM clicks_by_day, unnest(clicks) n WHERE dimension = 'platform' AND scope_id = project_id) AS counted`,
  );
  return row!;
}

const partitions = async (of: string): Promise<string[]> => {
  const rows = await on.database.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [of],
  );
  return rows.map(({ name }) => name);
};

const written = async () => (await stored()).clicks;

describeClickStore('PostgreSQL', () => ({
  port: clicks.repository,
  get projectId() {
    return project.id;
  },
  get link() {
    return link;
  },
  written,
}));

describeClickStore('the fake', () => {
  const port = new FakeClicks();
  return { port, projectId: newId(), link: anOpenedLink(), written: async () => port.written };
});

describe('a batch', () => {
  test('is ignored if it is older than the last one of its writer', async () => {
    const [writer, batch] = [newId(), batchOf(some(1))];
    await clicks.repository.record(writer, 2, batch);
    await clicks.repository.record(writer, 1, batch);
    expect(await written()).toBe(1);
  });

  test('does not count if its transaction fails, and counts once if sent again', async () => {
    const writer = newId();
    const record = () => clicks.repository.record(writer, 1, batchOf(some(10)));
    await withoutTable(on.database, 'fresh_click_batches', () => expect(record()).rejects.toThrow());
    await record();
    expect(await stored()).toEqual({ clicks: 10, fresh: 10, counted: 0 });
  });

  test('is visible click by click in a view', async () => {
    const short = { shortLinkId: newId(), shortLinkSource: 'api' } as const;
    const links = [link, anOpenedLink(), anOpenedLink({ ...link, ...short })];
    const times = Array.from({ length: 300 }, (_, number) => Date.parse('2026-11-21T10:14:59Z') + number * 10);
    const sent = times.flatMap((at) => fc.sample(anyClick(project.id, links, fc.constant(at)), 1));
    await clicks.write(sent);
    const rows = await on.database.query(
      `SELECT (extract(epoch FROM clicked_at) * 1000)::bigint::text AS at, dynamic_link_id, short_link_id, source, platform, browser,
              bot, referrer, country, qr FROM single_clicks WHERE project_id = $1 ORDER BY clicked_at`,
      [project.id],
    );
    expect(rows).toEqual(
      sent.map(({ at, link: { id, shortLinkId, shortLinkSource }, client, referrer, country, qr }) => ({
        at: String(at),
        dynamic_link_id: id,
        short_link_id: shortLinkId,
        source: shortLinkSource,
        platform: client.platform,
        browser: client.browser,
        bot: client.robot,
        referrer,
        country,
        qr,
      })),
    );
  });

  test('omits deleted and unknown projects', async () => {
    const other = await aProject(on, account.key);
    await on.api('delete', `/projects/${other.id}`, account.key).expect(200);
    await clicks.write([
      ...some(2),
      aClick({ at: Date.now(), projectId: other.id, link: anOpenedLink() }),
      aClick({ at: Date.now(), projectId: newId(), link: anOpenedLink() }),
    ]);
    expect(await stored()).toEqual({ clicks: 2, fresh: 2, counted: 0 });
  });
});

describe('rolling up', () => {
  test('moves every click once, even if several processes try at once', async () => {
    for (let batch = 0; batch < 20; batch++) await clicks.write(some(50, `2026-11-21T${10 + (batch % 10)}:00:00Z`));
    const rollUp = async () => {
      for (let time = 0; time < 20; time++) await clicks.repository.rollUp(3);
    };
    await Promise.all([rollUp(), rollUp(), rollUp(), clicks.write(some(50))]);
    await clicks.rollUpAll(1);
    expect(await stored()).toEqual({ clicks: 1050, fresh: 0, counted: 1050 });
    for (const table of ['clicks_by_day', 'clicks_by_quarter']) {
      const sums = await on.database.query<{ dimension: string; own: string; links: string }>(
        `SELECT dimension, sum(n) FILTER (WHERE scope_id = project_id) AS own, sum(n) FILTER (WHERE scope_id <> project_id) AS links
         FROM ${table}, unnest(clicks) AS n GROUP BY dimension ORDER BY 1`,
      );
      expect(sums.map((row) => Object.values(row).join())).toEqual(
        // Links have no rows for missing values.
        ['browser,1050,1050', 'country,1050,525', 'link,1050,', 'platform,1050,1050'].concat(
          ['referrer', 'short_link', 'source'].map((dimension) => `${dimension},1050,`),
          ['visitor,1050,1050'],
        ),
      );
    }
  });

  test('is due at a number of clicks, at a number of batches, and at an age', async () => {
    const limits = { clicks: 31, batches: 4, milliseconds: 60_000 };
    const isDue = (lower: Partial<typeof limits> = {}) => clicks.repository.isRollUpDue({ ...limits, ...lower });
    expect(await isDue()).toBe(false);
    for (let batch = 0; batch < 3; batch++) await clicks.write(some(10));
    expect([await isDue(), await isDue({ clicks: 30 }), await isDue({ batches: 3 })]).toEqual([false, true, true]);
    await on.database.query(
      `UPDATE fresh_click_batches SET written_at = now() - interval '61 seconds' WHERE id = (SELECT min(id) FROM fresh_click_batches)`,
    );
    expect([await isDue(), await isDue({ milliseconds: 70_000 })]).toEqual([true, false]);
    await clicks.rollUpAll();
    expect(await isDue()).toBe(false);
  });

  test('keeps the totals of months', async () => {
    const all = [true, false].flatMap((robot) =>
      [true, false].map((qr) =>
        aClick({
          at: Date.parse('2026-11-03T10:00:00Z'),
          projectId: project.id,
          link,
          client: { platform: 'ios', browser: null, robot },
          qr,
        }),
      ),
    );
    const wrong = () =>
      on.database.query(
        `SELECT * FROM clicks_by_day
         WHERE (total_clicks, total_qr_scans, total_bots, total_bot_qr_scans) IS DISTINCT FROM
           (${['clicks', 'qr_scans', 'bots', 'bot_qr_scans'].map((counts) => `(SELECT sum(n) FROM unnest(${counts}) AS n)`).join()})`,
      );
    await clicks.write(all.slice(0, 3));
    await clicks.rollUpAll();
    expect(await wrong()).toEqual([]);
    const later = all.map((click) => ({ ...click, at: Date.parse('2026-11-21T10:00:00Z') }));
    await clicks.write([...later, ...all]);
    await clicks.rollUpAll();
    expect(await wrong()).toEqual([]);
    const [row] = await on.database.query<{ totals: string[] }>(
      `SELECT ARRAY[total_clicks, total_qr_scans, total_bots, total_bot_qr_scans]::text[] AS totals FROM clicks_by_day
       WHERE scope_id = project_id AND dimension = 'platform'`,
    );
    // Of three batches, the first lacks a click that is neither a robot's nor a scan.
    expect(row!.totals.map(Number)).toEqual([5, 3, 6, 3]);
  });

  test('moves nothing if it fails', async () => {
    await clicks.write(some(10));
    await on.database.query(
      "ALTER TABLE clicks_by_quarter ADD CONSTRAINT too_full CHECK (dimension <> 'platform') NOT VALID",
    );
    await expect(clicks.repository.rollUp(100)).rejects.toThrow();
    expect(await stored()).toEqual({ clicks: 10, fresh: 10, counted: 0 });
    await on.database.query('ALTER TABLE clicks_by_quarter DROP CONSTRAINT too_full');
    await clicks.rollUpAll();
    expect(await stored()).toEqual({ clicks: 10, fresh: 0, counted: 10 });
  });
});

describe('months', () => {
  test('exist for the current month and the next two', async () => {
    const names = await partitions('clicks');
    const expected = [0, 1, 2].map((ahead) => {
      const month = new Date(
        Date.UTC(beforeStart.getUTCFullYear(), beforeStart.getUTCMonth() + ahead, 1),
      ).toISOString();
      return `clicks_${month.slice(0, 7).replace('-', '_')}`;
    });
    expect(names).toEqual(expect.arrayContaining(expected));
    for (const table of ['clicks_by_day', 'clicks_by_quarter'])
      expect((await partitions(table)).map((name) => name.replace(table, 'clicks'))).toEqual(names);
  });

  test('are created by clicks of any time', async () => {
    const strange = ['2004-02-29T23:59:59.999Z', '2061-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z'];
    for (const moment of strange) await clicks.write(some(1, moment));
    await on.database.query('DROP TABLE clicks_by_day_2004_02');
    await clicks.rollUpAll();
    expect(await stored()).toEqual({ clicks: 3, fresh: 0, counted: 3 });
    expect(await partitions('clicks')).toEqual(
      expect.arrayContaining(['clicks_2004_02', 'clicks_2061_12', 'clicks_1970_01']),
    );
  });

  /** Runs a round again if a month of the database ended meanwhile. Returns the month of the round, and what it returned. */
  async function inOneMonth<T>(round: (month: Date) => Promise<T>): Promise<[month: Date, result: T]> {
    const month = async () =>
      (await on.database.query<{ month: Date }>("SELECT date_trunc('month', now(), 'UTC') AS month"))[0]!.month;
    for (;;) {
      const before = await month();
      const result = await round(before);
      if ((await month()).getTime() === before.getTime()) return [before, result];
      await clear();
    }
  }

  test('are dropped after their retention, and no day earlier', async () => {
    const ago = (month: Date, months: number) =>
      new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - months, 28));
    const [current, { dropped, left, counts, droppedLater }] = await inOneMonth(async (month) => {
      await clicks.repository.createPartitions([5, 4, 3, 2, 1].map((months) => ago(month, months).getTime()));
      await clicks.write([3, 2].flatMap((months) => some(1, ago(month, months).toISOString())));
      await clicks.rollUpAll();
      const dropped = await Promise.all([clicks.repository.dropPartitions(2), clicks.repository.dropPartitions(2)]);
      const [left, counts] = [await partitions('clicks'), await stored()];
      return { dropped: dropped.flat(), left, counts, droppedLater: await clicks.repository.dropPartitions(2) };
    });
    const name = (months: number) => ago(current, months).toISOString().slice(0, 7).replace('-', '_');
    for (const months of [3, 4, 5])
      expect(dropped).toEqual(
        expect.arrayContaining(
          ['clicks', 'clicks_by_day', 'clicks_by_quarter'].map((table) => `${table}_${name(months)}`),
        ),
      );
    expect(left).toEqual(expect.arrayContaining([0, 1, 2].map((months) => `clicks_${name(months)}`)));
    expect(left).not.toContain(`clicks_${name(3)}`);
    expect(counts).toEqual({ clicks: 1, fresh: 0, counted: 1 });
    expect(droppedLater).toEqual([]);
  });

  test('follow the clock of the database, so that a wrong clock of a process drops and creates nothing', async () => {
    const before = await partitions('clicks');
    on.clock.ahead = 50 * 365 * 24 * 60 * 60_000;
    const other = await aService({ CLICK_RETENTION_MONTHS: '120' }, on.database);
    other.clock.ahead = on.clock.ahead;
    await other.service.app.get(ClickUpkeep).maintainPartitions();
    await other.stop();
    on.clock.ahead = 0;
    const after = await partitions('clicks');
    expect(after).toEqual(expect.arrayContaining(before.filter((name) => name > 'clicks_2020')));
    expect(after.filter((name) => !before.includes(name) && name > 'clicks_2070')).toEqual([]);
  });
});

describe('a database user that owns nothing', () => {
  const user = `service_${process.pid}`;
  let theirs: ReturnType<typeof clicksOn>;
  beforeAll(async () => {
    await onServer(`CREATE ROLE ${user} LOGIN`);
    // The grants of docs/operating/postgresql.md.
    await on.database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}`);
    await on.database.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${user}`);
    const url = new URL(on.database.url);
    url.username = user;
    theirs = clicksOn({ url: url.href });
  });
  afterAll(async () => {
    await theirs.close();
    await on.database.query(`DROP OWNED BY ${user}`);
    await onServer(`DROP ROLE ${user}`);
  });

  test('can do everything that the service does', async () => {
    await theirs.write(some(3, '2033-03-03T00:00:00Z'));
    expect(await theirs.repository.isRollUpDue({ clicks: 1, batches: 1, milliseconds: 1 })).toBe(true);
    await theirs.rollUpAll();
    expect(await stored()).toEqual({ clicks: 3, fresh: 0, counted: 3 });
    await theirs.repository.createPartitions([Date.UTC(2034, 0), Date.UTC(2034, 1)]);
    await theirs.repository.dropPartitions(120);
    await on.api('delete', `/projects/${project.id}`, account.key).expect(200);
    while (!(await theirs.repository.purgeSome(100)));
    expect((await stored()).clicks).toBe(0);
    await theirs.repository.deleteIdleWriters();
  });

  test('cannot make functions of the owner use its temporary tables', async () => {
    const url = new URL(on.database.url);
    url.username = user;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.query('CREATE TEMPORARY TABLE clicks (LIKE public.clicks) PARTITION BY RANGE (clicked_at)');
    await client.query("SELECT make_click_partitions('{2035-05-01}')");
    await client.end();
    expect(await partitions('public.clicks')).toContain('clicks_2035_05');
  });
});

test('another user cannot create or drop months', async () => {
  const user = `stranger_${process.pid}`;
  await onServer(`CREATE ROLE ${user} LOGIN`);
  const url = new URL(on.database.url);
  url.username = user;
  atEndOfTest(() => onServer(`DROP ROLE ${user}`));
  const theirs = clicksOn({ url: url.href });
  atEndOfTest(() => theirs.close());
  await expect(theirs.repository.dropPartitions(1)).rejects.toThrow('permission denied');
  await expect(theirs.repository.createPartitions([Date.now()])).rejects.toThrow('permission denied');
});

describe('the clicks of a deleted project', () => {
  const left = () =>
    on.database.query<{ table: string }>(
      `SELECT 'clicks' AS table FROM clicks WHERE project_id = $1
       UNION ALL SELECT 'days' FROM clicks_by_day WHERE project_id = $1
       UNION ALL SELECT 'quarters' FROM clicks_by_quarter WHERE project_id = $1 UNION ALL SELECT 'purge' FROM click_purges WHERE project_id = $1`,
      [project.id],
    );
  const remove = () => on.api('delete', `/projects/${project.id}`, account.key).expect(200);
  const purge = async () => {
    while (!(await clicks.repository.purgeSome(7)));
  };

  test('are purged in batches from every month, without those of other projects', async () => {
    const other = await aProject(on, account.key);
    await clicks.write([...some(30, '2026-09-30T23:59:59.990Z'), ...some(30), ...some(30, '2026-12-31T23:59:59.990Z')]);
    await clicks.write([aClick({ at: Date.parse('2026-11-21T10:00:00Z'), projectId: other.id, link: anOpenedLink() })]);
    await clicks.rollUpAll();
    await clicks.write(some(30));
    await remove();
    expect((await left()).length).toBeGreaterThan(100);
    await purge();
    expect(await left()).toEqual([]);
    expect(await stored()).toEqual({ clicks: 1, fresh: 0, counted: 1 });
  });

  test('are purged if SQL deleted the project with its account', async () => {
    const doomed = await on.anAccount('enterprise');
    Object.assign(project, await aProject(on, doomed.key));
    await clicks.write(some(5));
    await on.database.query('DELETE FROM accounts WHERE id = $1', [doomed.accountId]);
    await purge();
    expect(await left()).toEqual([]);
  });

  test('are purged if a batch began before the deletion and ends after the purge', async () => {
    let purged: Promise<void> | undefined;
    await withTransaction(on.database, async (client) => {
      // A slow batch has read the project before its deletion, and is not committed.
      await client.query('SELECT pg_advisory_xact_lock_shared(1668049251, 1)');
      await client.query(
        `INSERT INTO clicks (clicked_at, batch_id, project_id, dynamic_link_ids, platforms, opened, opened_by, times, moments)
         VALUES (now(), 0, $1, ARRAY[$2::uuid], '{ios}', '{1}', '{1}', '{1}', '{0}')`,
        [project.id, link.id],
      );
      await remove();
      purged = purge();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await client.query('COMMIT');
    });
    await purged;
    expect(await left()).toEqual([]);
  });

  test('block nothing while they are rolled up', async () => {
    for (let batch = 0; batch < 30; batch++) await clicks.write(some(20, `2026-11-${10 + (batch % 20)}T10:00:00Z`));
    await clicks.repository.rollUp(10);
    const rollUp = async () => {
      for (let time = 0; time < 30; time++) await clicks.repository.rollUp(1);
    };
    const rolledUp = rollUp();
    await remove();
    await Promise.all([rolledUp, purge(), purge()]);
    await clicks.rollUpAll();
    await purge();
    expect(await left()).toEqual([]);
  });
});

test('processes that wrote nothing for a month are deleted, but no region', async () => {
  const region = newId();
  await clicks.repository.record(region, 1, batchOf(some(1)));
  await clicks.write(some(1));
  await on.database.query("UPDATE click_writers SET written_at = now() - interval '32 days'");
  const writer = newId();
  await clicks.repository.record(writer, 1, batchOf(some(1)));
  await on.database.query("INSERT INTO regions (code, name, writer) VALUES (1, 'cut_off', $1)", [region]);
  await clicks.repository.deleteIdleWriters();
  await on.database.query('DELETE FROM regions');
  const kept = await on.database.query<{ id: string }>('SELECT id FROM click_writers');
  expect(kept.map(({ id }) => id).sort()).toEqual([region, writer].sort());
});
