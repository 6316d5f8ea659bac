import type { Click, OpenedLink } from '../../../src/clicks/recording/click';
import { type Grouping, groupings, type linkGroupings } from '../../../src/clicks/statistics/statistics';
import { isUtm } from '../../../src/clicks/statistics/statistics-filter';
import { intervals } from '../../../src/clicks/statistics/statistics-window';
import { newId } from '../../../src/shared/id';
import { aDynamicLink, aProject, aTemplate } from '../../support/builders';
import { accountFixture, serviceFixture } from '../../support/fixtures';
import { type Analytics, anOpenedLink, clicksFixture, clicksOnManyLinks } from '../recording/counting';
import { fc, runs } from '../../support/properties';
import { randomIntegers } from '../../support/random-integers';

// Any clicks, over a change of the clocks and the end of a month; some are rolled up, some not yet. Clicks of one project are
// rolled up with those of many other links, so that they wait for the sums of their links. Each answer is compared with a count of
// the clicks one by one.

const quarter = 15 * 60_000;
const begin = Date.parse('2026-10-20T00:00Z');
const end = Date.parse('2026-11-09T00:00Z');

const on = serviceFixture({ RECORD_CLICKS: 'false' });
const account = accountFixture(on, 'pro');
const clicks = clicksFixture(on);

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

/** Links with the tags and parameters that conditions compare. */
const describedLinks: { tags: string[]; referrer_params: Record<string, string> }[] = [
  { tags: ['Spring', 'Poster'], referrer_params: { utm_source: 'mail', utm_content: 'a' } },
  { tags: ['spring'], referrer_params: { utm_source: 'poster', utm_content: 'b' } },
  { tags: ['Poster'], referrer_params: { utm_source: 'poster' } },
  { tags: [], referrer_params: {} },
];

async function aProjectWithClicks(): Promise<Clicked> {
  const projectId = (await aProject(on, account.key)).id;
  const links: string[] = [];
  // The template of a link has its source.
  const referrer_params = { utm_source: 'poster', utm_content: 'x' };
  await aTemplate(on, account.key, projectId, { name: 'Posters', referrer_params });
  const templated = { ...describedLinks[1], referrer_params: { utm_content: 'b' }, template: 'Posters' };
  const [first, , ...further] = describedLinks;
  for (const link of [first, templated, ...further])
    links.push((await aDynamicLink(on, account.key, projectId, link)).id);
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
  const summed = (projects.summed = await aProjectWithClicks());
  for (let from = 0; from < summed.all.length; from += 1000) {
    await clicks.write(summed.all.slice(from, from + 1000));
    // The last batches are not rolled up.
    if (from < 4000) await clicks.rollUpAll(300);
  }
  await clicks.rollUpAll();

  const waiting = (projects.waiting = await aProjectWithClicks());
  const other = await aProject(on, account.key);
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

const valueOf: Record<(typeof linkGroupings)[number], (click: Click) => string | null> = {
  platform: (click: Click) => click.client.platform,
  browser: (click: Click) => click.client.browser,
  referrer: (click: Click) => click.referrer,
  country: (click: Click) => click.country,
  link: (click: Click) => click.link.id,
  short_link: (click: Click) => click.link.shortLinkId,
  source: (click: Click) => click.link.shortLinkSource,
};

/** Returns what groups the link of a click has: tags, or the value of a parameter. */
function groupsOf(click: Click, groupBy: Grouping, links: string[], tagIds: Map<string, string>): (string | null)[] {
  if (groupBy !== 'tag' && !isUtm(groupBy)) return [valueOf[groupBy](click)];
  const link = describedLinks[links.indexOf(click.link.id)]!;
  if (isUtm(groupBy)) return [link.referrer_params[groupBy] ?? null];
  return link.tags.length === 0 ? [null] : link.tags.map((name) => tagIds.get(name.toLowerCase())!);
}

test('totals, series and groups of clicks that fulfil conditions are what a count of the clicks gives', async () => {
  const some = <T>(...values: T[]) =>
    fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }), { nil: undefined });
  const asked = fc.record({
    from: fc.integer({ min: begin / quarter - 100, max: end / quarter }),
    // Whole days as often as any other time: they are summed up in another way.
    step: fc.constantFrom(1, 96),
    length: fc.integer({ min: 1, max: 1000 }),
    interval: fc.constantFrom(...intervals),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York'),
    groupBy: fc.option(fc.constantFrom(...groupings), { nil: undefined }),
    include_bots: fc.boolean(),
    platform: some('ios', 'android'),
    browser: some('Safari', ''),
    country: some('DE', 'NP', ''),
    referrer: some('a.example', ''),
    source: some('api', ''),
    short_link: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    qr: fc.constantFrom(undefined, true, false),
    bot: fc.constantFrom(undefined, true, false),
    link_id: some(0, 1, 3),
    tag: some('Spring', 'poster', 'unknown'),
    utm_source: some('mail', 'poster'),
    ofLink: fc.boolean(),
    rolledUp: fc.constantFrom('summed' as const, 'waiting' as const),
    /** Leaves out conditions, because most clicks fulfil few at once. */
    kept: fc.integer({ min: 0, max: 2 ** 11 - 1 }),
    alsoKept: fc.integer({ min: 0, max: 2 ** 11 - 1 }),
  });
  const conditions = [
    'platform',
    'browser',
    'country',
    'referrer',
    'source',
    'short_link',
    'qr',
    'bot',
    'link_id',
    'tag',
    'utm_source',
  ] as const;
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(asked, async ({ rolledUp, ofLink, groupBy, kept, alsoKept, ...one }) => {
      const { projectId, links, all } = projects[rolledUp]!;
      const tagIds = new Map(
        (await on.api('get', `/projects/${projectId}/tags`, account.key)).body.data.map(
          (tag: { id: string; name: string }) => [tag.name.toLowerCase(), tag.id],
        ),
      ) as Map<string, string>;
      const chosen: Partial<typeof one> = Object.fromEntries(
        conditions
          .filter((name, at) => ((kept & alsoKept) >> at) & 1 && !(ofLink && at > 7))
          .map((name) => [name, one[name]]),
      );
      const shortLinks = [...new Set(all.flatMap(({ link }) => link.shortLinkId ?? []))];
      const shortLink = chosen.short_link === undefined ? undefined : shortLinks[chosen.short_link];
      const first = Math.floor(one.from / one.step) * one.step;
      const quarters = Math.max(1, Math.floor(one.length / one.step)) * one.step;
      const [from, to] = [first * quarter, (first + quarters) * quarter];
      const query = new URLSearchParams({
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        interval: one.interval,
        timezone: one.timezone,
        include_bots: String(one.include_bots),
      });
      const grouped = ofLink && (groupBy === 'tag' || isUtm(groupBy ?? null)) ? undefined : groupBy;
      if (grouped) query.set('group_by', grouped);
      for (const [name, value] of Object.entries(chosen)) {
        if (value === undefined) continue;
        if (name === 'short_link') query.append('short_link_id', shortLink!);
        else if (name === 'link_id') for (const at of value as number[]) query.append(name, links[at]!);
        else for (const item of [value].flat()) query.append(name, String(item));
      }
      const path = `/projects/${projectId}${ofLink ? `/links/${links[0]}` : ''}/analytics?${query.toString()}`;
      const answer = await on.api('get', path, account.key);
      expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
      const { totals, series, groups, other } = (answer.body as { data: Analytics }).data;

      const isAccepted = (value: string | null, accepted: string[] | undefined): boolean =>
        accepted?.includes(value ?? '') ?? true;
      const described = (click: Click) => describedLinks[links.indexOf(click.link.id)]!;
      const inside = all.filter(
        (click) =>
          click.at >= from &&
          click.at < to &&
          (!ofLink || click.link.id === links[0]) &&
          isAccepted(click.client.platform, chosen.platform) &&
          isAccepted(click.client.browser, chosen.browser) &&
          isAccepted(click.country, chosen.country) &&
          isAccepted(click.referrer, chosen.referrer) &&
          isAccepted(click.link.shortLinkSource, chosen.source) &&
          (shortLink === undefined || click.link.shortLinkId === shortLink) &&
          (chosen.qr === undefined || click.qr === chosen.qr) &&
          (chosen.link_id?.some((at) => links[at] === click.link.id) ?? true) &&
          (chosen.tag?.some((tag) => described(click).tags.some((name) => name.toLowerCase() === tag.toLowerCase())) ??
            true) &&
          isAccepted(described(click).referrer_params['utm_source'] ?? null, chosen.utm_source),
      );
      const clicks = inside.filter(({ client }) =>
        chosen.bot === undefined ? one.include_bots || !client.robot : client.robot === chosen.bot,
      );
      counted += clicks.length;
      const sums = (some: Click[]) => ({ clicks: some.length, qr_scans: some.filter(({ qr }) => qr).length });
      expect(totals).toEqual({ ...sums(clicks), bots: inside.filter(({ client }) => client.robot).length });
      const parts = series.map(({ start, end }) =>
        clicks.filter(({ at }) => at >= Date.parse(start) && at < Date.parse(end)),
      );
      expect(series.map(({ clicks, qr_scans }) => ({ clicks, qr_scans }))).toEqual(parts.map(sums));
      expect([series[0]!.start, series.at(-1)!.end].map(Date.parse)).toEqual([from, to]);
      for (const [at, { end }] of series.slice(0, -1).entries()) expect(series[at + 1]!.start).toBe(end);
      if (!grouped) return;
      expect(other).toEqual({ groups: 0, clicks: 0, qr_scans: 0 });
      const of = (some: Click[], value: string | null) =>
        some.filter((click) => groupsOf(click, grouped, links, tagIds).includes(value));
      const values = [...new Set(clicks.flatMap((click) => groupsOf(click, grouped, links, tagIds)))];
      const byValue = (one: { value: string | null }, another: { value: string | null }) =>
        (one.value ?? '') < (another.value ?? '') ? -1 : 1;
      expect(
        groups!.map(({ value, clicks, qr_scans, series }) => ({ value, clicks, qr_scans, series })).sort(byValue),
      ).toEqual(
        values
          .map((value) => ({ value, ...sums(of(clicks, value)), series: parts.map((part) => of(part, value).length) }))
          .sort(byValue),
      );
    }),
    runs(600),
  );
  expect(counted).toBeGreaterThan(1000);
});
