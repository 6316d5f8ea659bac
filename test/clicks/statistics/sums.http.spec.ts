import type { Click, OpenedLink } from '../../../src/clicks/recording/click';
import { linkGroupings } from '../../../src/clicks/statistics/statistics';
import { intervals } from '../../../src/clicks/statistics/statistics-window';
import { newId } from '../../../src/shared/id';
import { aDynamicLink, aProject } from '../../support/builders';
import { aService, type TestService } from '../../support/service';
import { analytics, anOpenedLink, clicksOn, clicksOnManyLinks } from '../recording/counting';
import { fc, runs } from '../../support/properties';
import { randomIntegers } from '../../support/random-integers';

// Any clicks, over a change of the clocks and the end of a month; some are rolled up, some not yet. Clicks of one project are
// rolled up with those of many other links, so that they wait for the sums of their links. Each answer is compared with a count of
// the clicks one by one.

const quarter = 15 * 60_000;
const begin = Date.parse('2026-10-20T00:00Z');
const end = Date.parse('2026-11-09T00:00Z');

let on: TestService;
let key: string;
let clicks: ReturnType<typeof clicksOn>;

interface Clicked {
  projectId: string;
  links: string[];
  all: Click[];
}
const projects: Partial<Record<'summed' | 'waiting', Clicked>> = {};

const random = randomIntegers(1);
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;

function anyClick(projectId: string, opened: OpenedLink[]): Click {
  const robot = random(5) === 0;
  return {
    at: begin + random(end - begin),
    projectId,
    link: pick(opened),
    client: {
      platform: pick(['ios', 'android', 'desktop']),
      browser: robot ? null : pick(['Safari', 'Chrome', null]),
      robot,
    },
    referrer: pick([null, 'a.example', 'b.example']),
    country: pick([null, 'DE', 'IN', 'NP']),
    qr: random(10) === 0,
  };
}

async function aProjectWithClicks(): Promise<Clicked> {
  const projectId = (await aProject(on, key)).id;
  const links: string[] = [];
  for (let count = 0; count < 4; count++) links.push((await aDynamicLink(on, key, projectId)).id);
  const shortLinks = [
    {},
    { shortLinkId: newId(), shortLinkSource: 'dashboard' },
    { shortLinkId: newId(), shortLinkSource: 'api' },
    { shortLinkId: newId(), shortLinkSource: 'api' },
  ];
  const opened = links.flatMap((id) => shortLinks.map((shortLink) => anOpenedLink({ id, ...shortLink })));
  // Every other one is followed by some that are alike.
  const all = Array.from({ length: 1500 }, () => anyClick(projectId, opened)).flatMap((click, number) => [
    click,
    ...Array.from({ length: (number % 2) * 6 }, (_, after) => ({ ...click, at: click.at + after })),
  ]);
  return { projectId, links, all };
}

beforeAll(async () => {
  on = await aService({ RECORD_CLICKS: 'false' });
  key = (await on.anAccount()).key;
  clicks = clicksOn(on.database);

  const summed = (projects.summed = await aProjectWithClicks());
  for (let from = 0; from < summed.all.length; from += 1000) {
    await clicks.write(summed.all.slice(from, from + 1000));
    // The last batches are not rolled up.
    if (from < 4000) await clicks.rollUpAll(300);
  }
  await clicks.rollUpAll();

  const waiting = (projects.waiting = await aProjectWithClicks());
  const other = await aProject(on, key);
  for (let from = 0; from < waiting.all.length; from += 1000) {
    await clicks.write(waiting.all.slice(from, from + 1000));
    if (from >= 5000) continue;
    await clicks.write(clicksOnManyLinks(other.id));
    await clicks.rollUpAll(10_000);
    // Links with many clicks in a month move to their sums. The other rows are merged.
    if (from === 3000) await on.database.query('SELECT merge_clicks_by_link(100000, 2, 400, 0)');
  }
  const [rows] = await on.database.query<{ waiting: number; summed: number }>(
    `SELECT (SELECT count(*)::int FROM clicks_by_link WHERE project_id = $1) AS waiting,
            (SELECT count(*)::int FROM clicks_by_day WHERE project_id = $1 AND scope_id <> $1) AS summed`,
    [waiting.projectId],
  );
  expect([rows!.waiting > 0, rows!.summed > 0]).toEqual([true, true]);
});
afterAll(async () => {
  await clicks.close();
  await on.stop();
});

const valueOf = {
  platform: (click: Click) => click.client.platform,
  browser: (click: Click) => click.client.browser,
  referrer: (click: Click) => click.referrer,
  country: (click: Click) => click.country,
  link: (click: Click) => click.link.id,
  short_link: (click: Click) => click.link.shortLinkId,
  source: (click: Click) => click.link.shortLinkSource,
};

test('totals, series and groups are what a count of the clicks gives', async () => {
  const asked = fc.record({
    begin: fc.integer({ min: begin / quarter - 100, max: end / quarter }),
    // Whole days as often as any other time: they are summed up in another way.
    step: fc.constantFrom(quarter, 24 * 60 * 60_000),
    length: fc.integer({ min: 1, max: 1000 }),
    interval: fc.constantFrom(...intervals),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York'),
    groupBy: fc.constantFrom(...linkGroupings),
    bots: fc.boolean(),
    ofLink: fc.boolean(),
    rolledUp: fc.constantFrom('summed' as const, 'waiting' as const),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ begin, step, length, interval, timezone, groupBy, bots, ofLink, rolledUp }) => {
      const { projectId, links, all } = projects[rolledUp]!;
      const from = Math.floor((begin * quarter) / step) * step;
      const to = from + Math.max(1, Math.floor((length * quarter) / step)) * step;
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), interval, timezone };
      const linkId = ofLink ? links[0] : undefined;
      const grouped = { ...query, group_by: groupBy, include_bots: bots };
      const { totals, series, groups, other } = await analytics(on, key, projectId, grouped, linkId);

      const inside = all.filter(({ at, link }) => at >= from && at < to && (!ofLink || link.id === linkId));
      const counted = inside.filter(({ client }) => bots || !client.robot);
      const sums = (some: Click[]) => ({ clicks: some.length, qr_scans: some.filter(({ qr }) => qr).length });
      expect(totals).toEqual({ ...sums(counted), bots: inside.filter(({ client }) => client.robot).length });
      const parts = series.map(({ start, end }) =>
        counted.filter(({ at }) => at >= Date.parse(start) && at < Date.parse(end)),
      );
      expect(series.map(({ clicks, qr_scans }) => ({ clicks, qr_scans }))).toEqual(parts.map(sums));
      expect([series[0]!.start, series.at(-1)!.end].map(Date.parse)).toEqual([from, to]);
      for (const [at, { end }] of series.slice(0, -1).entries()) expect(series[at + 1]!.start).toBe(end);

      const values = [...new Set(counted.map(valueOf[groupBy]))];
      const expected = values.map((value) => {
        const of = (some: Click[]) => some.filter((click) => valueOf[groupBy](click) === value);
        return { value, ...sums(of(counted)), series: parts.map((part) => of(part).length) };
      });
      const byValue = (one: { value: string | null }, another: { value: string | null }) =>
        (one.value ?? '') < (another.value ?? '') ? -1 : 1;
      const listed = groups!.map(({ value, clicks, qr_scans, series }) => ({ value, clicks, qr_scans, series }));
      expect(listed.sort(byValue)).toEqual(expected.sort(byValue));
      expect(other).toEqual({ groups: 0, clicks: 0, qr_scans: 0 });
    }),
    runs(300),
  );
});
