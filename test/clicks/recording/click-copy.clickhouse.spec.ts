/** @needs clickhouse */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Click, OpenedLink } from '../../../src/clicks/recording/click';
import { ClickUpkeep } from '../../../src/clicks/recording/click-upkeep';
import { linkGroupings } from '../../../src/clicks/statistics/statistics';
import { newId } from '../../../src/shared/id';
import { aDynamicLink, aProject } from '../../support/builders';
import { type ClickHouseDatabase, ClickHouseServer } from '../../support/clickhouse-server';
import { createDatabase, type TestDatabase } from '../../support/database';
import { sectionOf } from '../../support/documented-commands';
import { eventually } from '../../support/eventually';
import { endAllPrograms, Program } from '../../support/process';
import { fc } from '../../support/properties';
import { aService, type TestService } from '../../support/service';
import { atEndOfTest } from '../../support/end-of-test';
import { clickHouseClicksOn, clicksInEachTable, longRetentionMonths } from './clickhouse-clicks';
import { analytics, anOpenedLink, anyClick, batchOf, clicksOn } from './counting';

// PostgreSQL has clicks, and ClickHouse gets them while both are written. No click is lost or doubled on the way.

const day = 86_400_000;
const begin = Date.parse('2026-09-20T00:00Z');
const end = Date.parse('2026-11-09T00:00Z');

let server: ClickHouseServer;
let store: ClickHouseDatabase;
let database: TestDatabase;
let inPostgres: TestService;
let inClickHouse: TestService;
let key: string;
let projectId: string;
let links: OpenedLink[];
let clicks: ReturnType<typeof clicksOn>;
let environment: Record<string, string>;
beforeAll(async () => (server = await ClickHouseServer.start()));
afterAll(async () => {
  await endAllPrograms();
  await server.remove();
});
beforeEach(async () => {
  store = await server.createDatabase();
  database = await createDatabase();
  environment = {
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: store.url,
    CLICK_RETENTION_MONTHS: String(longRetentionMonths),
  };
  inPostgres = await aService({ CLICKHOUSE_URL: store.url, CLICKHOUSE_MODE: 'write' }, database);
  inClickHouse = await aService({ CLICKHOUSE_URL: store.url, CLICKHOUSE_MODE: 'read' }, database);
  for (const on of [inPostgres, inClickHouse]) await on.service.app.get(ClickUpkeep).stop();
  key = (await inPostgres.anAccount('enterprise')).key;
  projectId = (await aProject(inPostgres, key)).id;
  links = [];
  for (let made = 0; made < 3; made++)
    links.push(
      anOpenedLink({ id: (await aDynamicLink(inPostgres, key, projectId)).id }),
      anOpenedLink({ id: newId(), shortLinkId: newId(), shortLinkSource: 'api' }),
    );
  clicks = clicksOn(database);
});
afterEach(async () => {
  await clicks.close();
  await inClickHouse.stop();
  await inPostgres.stop();
  await database.drop();
});

const randomClicks = (numRuns: number, seed: number): Click[] =>
  fc.sample(anyClick(projectId, links, fc.integer({ min: begin, max: end - 1 })), { numRuns, seed });

/** Writes clicks to PostgreSQL alone, as a process without ClickHouse does. */
const writeToPostgres = (some: Click[]) => clicks.repository.record(newId(), 1, batchOf(some));

async function admin(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = new Program('admin', environment, { args });
  const { code } = await program.exit;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

async function copy(): Promise<number> {
  const { code, stdout, stderr } = await admin('clicks', 'copy', '--json');
  expect([code, stderr]).toEqual([0, '']);
  return (JSON.parse(stdout) as { clicks: { copied: number } }).clicks.copied;
}

const stored = async () => {
  const [counts] = await store.rows<Record<string, number>>(clicksInEachTable);
  const { stored, ...sums } = counts!;
  expect(sums).toEqual({ of_links: stored, of_projects: stored, of_groupings: stored });
  return stored;
};

async function expectEqualAnswers(): Promise<void> {
  const period = { from: new Date(begin).toISOString(), to: new Date(end).toISOString(), include_bots: true };
  for (const group_by of linkGroupings)
    for (const linkId of [undefined, links[0]!.id]) {
      const query = { ...period, group_by, timezone: 'Asia/Kathmandu' };
      const [one, other] = [
        await analytics(inPostgres, key, projectId, query, linkId),
        await analytics(inClickHouse, key, projectId, query, linkId),
      ];
      expect(other).toEqual(one);
    }
}

test('a copy has all clicks, and a second one copies those that came since', async () => {
  await writeToPostgres(randomClicks(3000, 1));
  await clicks.rollUpAll();
  await writeToPostgres(randomClicks(2000, 2));
  expect([await copy(), await stored()]).toEqual([5000, 5000]);
  await expectEqualAnswers();
  await writeToPostgres(randomClicks(1000, 3));
  expect([await copy(), await copy(), await stored()]).toEqual([1000, 0, 6000]);
  await expectEqualAnswers();
});

test('a copy and its verification use the direct URL, because a pooler may not keep their session', async () => {
  await writeToPostgres(randomClicks(100, 1));
  // Another database takes the place of the pooler.
  const pooler = await createDatabase();
  atEndOfTest(() => pooler.drop());
  environment = { ...environment, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url };
  expect([await copy(), await stored()]).toEqual([100, 100]);
  expect((await admin('clicks', 'verify')).code).toBe(0);
});

test('clicks that are written to both stores are not copied', async () => {
  const project = await aProject(inPostgres, key);
  const { subdomain } = project;
  await aDynamicLink(inPostgres, key, project.id, { custom_path: 'one' });
  await clicks.repository.record(
    newId(),
    1,
    batchOf(randomClicks(100, 1).map((click) => ({ ...click, projectId: project.id, at: Date.now() - day }))),
  );
  for (const on of [inPostgres, inClickHouse])
    for (let visits = 0; visits < 5; visits++) await on.visit(subdomain, '/one').expect(302);
  // Visits are of this moment, and no query may be for longer than 400 days.
  const query = { from: new Date(Date.now() - 2 * day).toISOString(), include_bots: true };
  const counted = async () => (await analytics(inPostgres, key, project.id, query)).totals.clicks;
  await eventually(async () => (await counted()) >= 110);
  expect([await counted(), await stored()]).toEqual([110, 10]);
  expect([await copy(), await stored()]).toEqual([100, 110]);
  expect((await analytics(inClickHouse, key, project.id, query)).totals.clicks).toBe(110);
});

test('a copy that is killed again and again neither loses nor doubles clicks', async () => {
  const count = 24_000;
  for (let from = 0; from < count; from += 1500) await writeToPostgres(randomClicks(1500, from));
  const progress = async () => {
    const [row] = await database.query<{ clicks: number }>(
      'SELECT coalesce(sum(clicks), 0)::int AS clicks FROM click_copies',
    );
    return row!.clicks;
  };
  for (let kills = 0, last = 0; kills < 5; kills++) {
    const program = new Program('admin', environment, { args: ['clicks', 'copy'] });
    await eventually(async () => (await progress()) > last || !program.running);
    await program.kill();
    last = await progress();
  }
  await copy();
  expect([await progress(), await stored()]).toEqual([count, count]);
  await expectEqualAnswers();
  expect((await admin('clicks', 'verify')).code).toBe(0);
}, 1_800_000);

describe('a ClickHouse that lacks clicks', () => {
  const page = readFileSync(join(__dirname, '../../../docs/operating/clickhouse.md'), 'utf8');
  const documented = [...sectionOf(page, '## Fill ClickHouse again').matchAll(/```sql\n([^`]*)```/g)].map(
    ([, sql]) => sql!,
  );
  const [removal, repetition] = documented as [string, string];

  /** Runs the documented statements for October, which the page has as its example. */
  async function removeOctober(): Promise<void> {
    const statements = removal.trim().split('\n');
    expect(statements).toHaveLength(3);
    for (const statement of statements) await store.rows(statement.trim().replace(/;$/, ''));
  }

  const at = (date: string) => Date.parse(`${date}T12:00:00Z`);
  const clicksAt = (date: string, count: number) =>
    randomClicks(count, count).map((click) => ({ ...click, at: at(date) }));

  /** Writes clicks to both stores, as a process with both does. */
  async function writeToBoth(some: Click[]): Promise<void> {
    const [writer, batch] = [newId(), batchOf(some)];
    const { repository, close } = clickHouseClicksOn(store.url, database);
    await repository.record(writer, 1, batch);
    await close();
    await clicks.repository.recordMirrored(writer, 1, batch);
  }

  beforeEach(async () => {
    await writeToPostgres(clicksAt('2026-09-21', 100));
    await writeToBoth(clicksAt('2026-10-21', 30));
    await writeToPostgres(clicksAt('2026-10-22', 20));
    expect([await copy(), await stored()]).toEqual([120, 150]);
    await writeToBoth(clicksAt('2026-11-01', 10));
  });

  test('of a month gets that month again, and no other', async () => {
    await writeToPostgres(clicksAt('2026-11-02', 5));
    for (let times = 0; times < 2; times++) {
      await removeOctober();
      expect((await admin('clicks', 'verify')).stderr).toContain('ClickHouse lacks clicks. See');
      await database.query(repetition);
      expect([await copy(), await stored()]).toEqual([times === 0 ? 55 : 50, 165]);
      expect(await admin('clicks', 'verify')).toMatchObject({ code: 0, stderr: '' });
    }
    await writeToBoth(clicksAt('2026-10-23', 7));
    expect([await copy(), await stored()]).toEqual([0, 172]);
  });
});

test('verification names projects and days on which the stores differ', async () => {
  await writeToPostgres(randomClicks(500, 1));
  await copy();
  expect(await admin('clicks', 'verify', '--json')).toMatchObject({ code: 0, stderr: '' });
  const at = Date.parse('2026-10-05T12:00:00Z');
  const more = randomClicks(7, 1).map((click) => ({ ...click, at }));
  await writeToPostgres(more);
  await writeToPostgres(more.map((click) => ({ ...click, at: at + day })));
  const { code, stderr } = await admin('clicks', 'verify');
  expect(code).toBe(1);
  expect(stderr).toContain('The stores differ on 2 days of projects:');
  expect(stderr).toMatch(new RegExp(`project ${projectId} on 2026-10-05: \\d+ in PostgreSQL, \\d+ in ClickHouse\n`));
});

test('clicks of deleted projects are neither copied nor compared', async () => {
  await writeToPostgres(randomClicks(100, 1));
  await copy();
  const doomed = projectId;
  projectId = (await aProject(inPostgres, key)).id;
  await writeToPostgres(randomClicks(50, 2));
  await inPostgres.api('delete', `/projects/${doomed}`, key).expect(200);
  await copy();
  expect((await admin('clicks', 'verify')).code).toBe(0);
});
