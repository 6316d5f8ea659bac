import type { OpenedLink } from '../../../src/clicks/recording/click';
import { maxFullDaysPerMonth, maxReferrersPerDay, otherName } from '../../../src/clicks/recording/distinct-names';
import { aDynamicLink, aProject } from '../../support/builders';
import { fixtureOfEach } from '../../support/fixtures';
import { serviceWithoutRollUps } from './service-without-roll-ups';
import { aClick, analytics, anOpenedLink } from './counting';

const { on, account, clicks, clear } = serviceWithoutRollUps();
beforeEach(() => clear());
const project = fixtureOfEach(() => aProject(on, account.key));
const aLink = async () => anOpenedLink({ id: (await aDynamicLink(on, account.key, project.id)).id });
let links: OpenedLink[];
beforeEach(async () => (links = [await aLink(), await aLink()]));

const { project: maxOfProject, link: maxOfLink } = maxReferrersPerDay;

const from = (referrer: string | null, { day = 1, link = links[0]!, times = 1, qr = false } = {}) =>
  Array.from({ length: times }, (_, number) =>
    aClick({ at: Date.UTC(2026, 10, day, 10) + number * 60_000, projectId: project.id, link, referrer, qr }),
  );

/** Clicks from so many hosts. The batches that `clicks.write` makes are those of separate processes. */
const fromHosts = (count: number, name: string, options: Parameters<typeof from>[1] = {}) =>
  Array.from({ length: count }, (_, number) => from(`${name}-${number}.example`, options)).flat();

async function writeBatches(some: ReturnType<typeof from>): Promise<void> {
  for (let at = 0; at < some.length; at += 400) await clicks.write(some.slice(at, at + 400));
}

/** Counts the hosts of each table by scope, without the value for all others. */
async function hosts(scope: string): Promise<{ day: Record<number, number>; month: number }> {
  const days = await on.database.query<{ day: number; count: number }>(
    `SELECT extract(day FROM day)::int AS day, count(*)::int AS count FROM clicks_by_quarter
     WHERE scope_id = $1 AND dimension = 'referrer' AND value NOT IN ('', '*') GROUP BY day`,
    [scope],
  );
  const months = await on.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM clicks_by_day WHERE scope_id = $1 AND dimension = 'referrer' AND value NOT IN ('', '*')`,
    [scope],
  );
  return { day: Object.fromEntries(days.map(({ day, count }) => [day, count])), month: months[0]!.count };
}

const ask = (day: number, linkId?: string, days = 1) =>
  analytics(
    on,
    account.key,
    project.id,
    {
      from: new Date(Date.UTC(2026, 10, day)).toISOString(),
      to: new Date(Date.UTC(2026, 10, day + days)).toISOString(),
      group_by: 'referrer',
    },
    linkId,
  );

test('roll-ups keep so many hosts per day of a link and of its project, whatever the processes write', async () => {
  await writeBatches(fromHosts(maxOfProject + 300, 'one'));
  await clicks.rollUpAll(1);
  await writeBatches([...fromHosts(300, 'two'), ...fromHosts(300, 'three', { link: links[1]! })]);
  await clicks.rollUpAll();
  expect(await hosts(links[0]!.id)).toEqual({ day: { 1: maxOfLink }, month: maxOfLink });
  expect(await hosts(links[1]!.id)).toEqual({ day: { 1: maxOfLink }, month: maxOfLink });
  expect(await hosts(project.id)).toEqual({ day: { 1: maxOfProject }, month: maxOfProject });
});

test('all other hosts count exactly, as other', async () => {
  await writeBatches([
    ...fromHosts(maxOfLink, 'known', { times: 3 }),
    ...fromHosts(60, 'further', { times: 2, qr: true }),
    ...from(null, { times: 5 }),
  ]);
  await clicks.rollUpAll();
  const all = 3 * maxOfLink + 120 + 5;
  const ofLink = await ask(1, links[0]!.id);
  expect(ofLink.totals).toEqual({ clicks: all, qr_scans: 120, bots: 0 });
  // The hundredth host gives way to the clicks without a referrer. Hosts beyond the limit have no number.
  expect(ofLink.groups![0]).toMatchObject({ value: null, clicks: 5 });
  expect(ofLink.groups!.slice(1).every(({ value, clicks }) => value!.startsWith('known') && clicks === 3)).toBe(true);
  expect(ofLink.other).toEqual({ groups: 1, clicks: 120 + 3, qr_scans: 120 });
  const ofProject = await ask(1);
  expect(ofProject.totals).toEqual(ofLink.totals);
  expect(ofProject.other).toEqual({ groups: 61, clicks: 120 + 3, qr_scans: 120 });
  for (const timezone of ['UTC', 'Asia/Kathmandu'])
    for (const linkId of [undefined, links[0]!.id]) {
      const query = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z', interval: 'hour', timezone };
      const grouped = { ...query, group_by: 'referrer' };
      const { groups, other, totals } = await analytics(on, account.key, project.id, grouped, linkId);
      expect(other!.clicks + groups!.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(totals.clicks);
      for (const { clicks, series } of groups!) expect(series.reduce((sum, part) => sum + part, 0)).toBe(clicks);
    }
});

test('fresh clicks beyond the limit of a process are other at once', async () => {
  await clicks.write(fromHosts(maxOfProject + 70, 'host'));
  const { groups, other, totals } = await ask(1);
  expect([totals.clicks, groups!.length]).toEqual([maxOfProject + 70, 100]);
  expect(groups!.map(({ value }) => value)).not.toContain(otherName);
  expect(other).toEqual({ groups: maxOfProject - 100, clicks: maxOfProject - 100 + 70, qr_scans: 0 });
});

test('a host that the day has stays counted by name', async () => {
  await writeBatches(from('known.example'));
  await clicks.rollUpAll();
  await writeBatches(fromHosts(2 * maxOfProject, 'random'));
  await clicks.rollUpAll();
  await writeBatches(from('known.example', { times: 2 }));
  await clicks.rollUpAll();
  expect((await ask(1, links[0]!.id)).groups![0]).toMatchObject({ value: 'known.example', clicks: 3 });
});

test('of new hosts, those that the month has go first, then those with the most clicks', async () => {
  await writeBatches(from('earlier.example', { day: 1 }));
  await clicks.rollUpAll();
  await writeBatches([
    ...fromHosts(2 * maxOfLink, 'random', { day: 2 }),
    ...from('z-earlier.example', { day: 2 }),
    ...from('earlier.example', { day: 2 }),
    ...from('z-often.example', { day: 2, times: 2 }),
  ]);
  await clicks.rollUpAll();
  const rows = await on.database.query<{ value: string }>(
    `SELECT value FROM clicks_by_quarter WHERE scope_id = $1 AND day = '2026-11-02' AND value LIKE '%earlier%' AND dimension = 'referrer'`,
    [links[0]!.id],
  );
  expect(rows).toEqual([{ value: 'earlier.example' }]);
  const { groups } = await ask(2, links[0]!.id);
  expect(groups!.map(({ value }) => value)).toEqual(expect.arrayContaining(['earlier.example', 'z-often.example']));
});

test('a month has as many hosts as some full days, and those that it has still count', async () => {
  for (let day = 1; day <= maxFullDaysPerMonth + 1; day++) {
    await writeBatches([
      ...fromHosts(maxOfLink + 10, `day-${day}`, { day }),
      ...from('always.example', { day, times: 2 }),
    ]);
    await clicks.rollUpAll();
  }
  const { month, day } = await hosts(links[0]!.id);
  expect(month).toBe(maxFullDaysPerMonth * maxOfLink);
  const last = maxFullDaysPerMonth + 1;
  // Each day but the first has the host that comes every day, so the last day gets the rest of the month.
  expect(day[last]).toBe(maxFullDaysPerMonth);
  const { groups, other } = await ask(last, links[0]!.id);
  expect(groups![0]).toMatchObject({ value: 'always.example', clicks: 2 });
  expect(other).toEqual({ groups: 0, clicks: maxOfLink + 10 - (maxFullDaysPerMonth - 1), qr_scans: 0 });
});
