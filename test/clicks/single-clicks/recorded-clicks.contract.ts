import type { Click, OpenedLink } from '../../../src/clicks/recording/click';
import { newId } from '../../../src/shared/id';
import type { components } from '../../../clients/typescript/src/schema';
import { aClick, anOpenedLink, anyClick, batchOf } from '../recording/counting';
import { aDynamicLink, aProject } from '../../support/builders';
import { sendApiRequest } from '../../support/api-request';
import { fc, runs } from '../../support/properties';
import type { TestService } from '../../support/service';

type ListedClick = components['schemas']['Click'];
type ClickPage = components['schemas']['ClickPage'];

/** A service that reads a store, and the repository that writes the store. */
export interface ReadStore {
  on: TestService;
  key: string;
  write: (batch: ReturnType<typeof batchOf>) => Promise<void>;
}

export type Query = Record<string, string | number | boolean>;

const searchOf = (query: Query): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();

export async function aPageOfClicks(
  { on, key }: Pick<ReadStore, 'on' | 'key'>,
  projectId: string,
  query: Query,
): Promise<ClickPage> {
  const answer = await sendApiRequest(on, key, 'GET', `/projects/${projectId}/clicks?${searchOf(query)}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body as ClickPage;
}

/** Reads all pages. */
export async function listedClicks(
  store: Pick<ReadStore, 'on' | 'key'>,
  projectId: string,
  query: Query,
): Promise<{ clicks: ListedClick[]; pages: ClickPage[] }> {
  const pages: ClickPage[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: ClickPage = await aPageOfClicks(store, projectId, { ...query, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = page.pagination.nextCursor;
    expect(page.pagination.hasNextPage).toBe(cursor !== null);
  }
  return { clicks: pages.flatMap(({ data }) => data), pages };
}

export async function exportedClicks(
  { on, key }: Pick<ReadStore, 'on' | 'key'>,
  projectId: string,
  query: Query,
): Promise<ListedClick[]> {
  const answer = await sendApiRequest(on, key, 'GET', `/projects/${projectId}/clicks/export?${searchOf(query)}`);
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'private, no-store' };
  expect(answer).toMatchObject({ status: 200, headers });
  expect(answer.text === '' || answer.text.endsWith('\n')).toBe(true);
  return answer.text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ListedClick);
}

const described = ({ at, link, client, referrer, country, qr }: Click): ListedClick => ({
  clicked_at: new Date(at).toISOString(),
  dynamic_link_id: link.id,
  short_link_id: link.shortLinkId,
  source: link.shortLinkSource as ListedClick['source'],
  platform: client.platform as ListedClick['platform'],
  browser: client.browser,
  referrer,
  country,
  bot: client.robot,
  qr,
});

/** Sorts clicks by all their properties, in the order of the list. */
const textOf = (click: ListedClick): string =>
  Object.values(click)
    .map((value) => (typeof value === 'boolean' ? Number(value) : (value ?? '')))
    .join('|');
const sorted = (clicks: ListedClick[]): ListedClick[] =>
  clicks
    .map((click) => ({ click, text: textOf(click) }))
    .sort((one, other) => (one.text < other.text ? 1 : -1))
    .map(({ click }) => click);

const begin = Date.parse('2026-09-30T22:00Z');
const quarter = 15 * 60_000;
const spanMs = 16 * quarter;
const day = '2026-10-01';

/** Makes clicks around midnight of a month. Many are equal, or in the same millisecond. */
const randomClicks = (projectId: string, links: OpenedLink[], count: number): Click[] => {
  const at = fc.oneof(
    fc.integer({ min: begin, max: begin + spanMs - 1 }),
    fc.integer({ min: 0, max: 15 }).map((number) => begin + number * quarter),
    fc.constant(begin + 8 * quarter + 7),
  );
  return fc.sample(anyClick(projectId, links, at), count);
};

/** Tests the promises of the list and the export of clicks, which hold for every store. */
export function describeRecordedClicks(name: string, store: () => ReadStore): void {
  describe(`recorded clicks in ${name}`, () => {
    let projectId: string;
    let linkId: string;
    let shortLinkId: string;
    let clicks: ListedClick[];

    beforeAll(async () => {
      const { on, key, write } = store();
      projectId = (await aProject(on, key)).id;
      linkId = (await aDynamicLink(on, key, projectId)).id;
      shortLinkId = newId();
      const links = [
        anOpenedLink({ id: linkId }),
        anOpenedLink({ id: linkId, shortLinkId, shortLinkSource: 'dashboard' }),
        anOpenedLink({ shortLinkId: newId(), shortLinkSource: 'api' }),
      ];
      const made = randomClicks(projectId, links, 3000);
      for (let from = 0; from < made.length; from += 500) await write(batchOf(made.slice(from, from + 500)));
      clicks = sorted(made.map(described));
      // Clicks of another project must not be seen.
      const other = (await aProject(on, key)).id;
      await write(batchOf(randomClicks(other, links, 100)));
    });

    const wholePeriod = { from: new Date(begin).toISOString(), to: new Date(begin + spanMs).toISOString() };

    test('pages list each click once, newest first', async () => {
      for (const limit of [1000, 97]) {
        const listed = await listedClicks(store(), projectId, { ...wholePeriod, include_bots: true, limit });
        expect(listed.clicks).toEqual(clicks);
      }
    });

    test('a list has the clicks of its period and filters', async () => {
      const filters = {
        dynamic_link_id: fc.constantFrom(linkId, newId()),
        short_link_id: fc.constant(shortLinkId),
        source: fc.constantFrom('dashboard', 'api'),
        platform: fc.constantFrom('ios', 'android'),
        browser: fc.constantFrom('', 'Samsung Internet'),
        referrer: fc.constantFrom('', 'null', 'a.example'),
        country: fc.constantFrom('', 'NP'),
        qr: fc.boolean(),
      };
      const anyQuery = fc.record({
        from: fc.integer({ min: begin - quarter, max: begin + spanMs - 2 }),
        lengthMs: fc.integer({ min: 1, max: spanMs }),
        include_bots: fc.boolean(),
        chosen: fc
          .subarray(Object.keys(filters), { maxLength: 2 })
          .chain((names) =>
            fc
              .record(filters)
              .map((all) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))),
          ),
      });
      let seen = 0;
      await fc.assert(
        fc.asyncProperty(anyQuery, async ({ from, lengthMs, include_bots, chosen }) => {
          const to = from + lengthMs;
          const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
          const query: Query = { ...chosen, ...period, include_bots, limit: 250 };
          const expected = clicks.filter((click) => {
            const at = Date.parse(click.clicked_at);
            return (
              at >= from &&
              at < to &&
              (include_bots || !click.bot) &&
              Object.entries(chosen).every(([field, value]) => (click[field as keyof ListedClick] ?? '') === value)
            );
          });
          expect((await listedClicks(store(), projectId, query)).clicks).toEqual(expected);
          seen += expected.length;
        }),
        runs(100),
      );
      expect(seen).toBeGreaterThan(0);
    });

    test('an export has the clicks of a day, in any order', async () => {
      const ofDay = clicks.filter(({ clicked_at }) => clicked_at.startsWith(day));
      expect(ofDay.length).toBeGreaterThan(500);
      expect(ofDay.length).toBeLessThan(clicks.length);
      expect(sorted(await exportedClicks(store(), projectId, { date: day, include_bots: true }))).toEqual(ofDay);
      const some = ofDay.filter(({ bot, country, dynamic_link_id }) => !bot && !country && dynamic_link_id === linkId);
      const query = { date: day, country: '', dynamic_link_id: linkId };
      expect(sorted(await exportedClicks(store(), projectId, query))).toEqual(some);
    });

    test('an export reads parts of large batches, and all of them', async () => {
      const { on, key, write } = store();
      const { id } = await aProject(on, key);
      const link = anOpenedLink();
      const clickAt = (later: number) => aClick({ at: Date.parse('2026-10-10T00:00Z') + later, projectId: id, link });
      // More than three parts, each of which has 5,000 clicks. Some are in the same millisecond as the end of a part.
      for (let batch = 0; batch < 4; batch++)
        await write(
          batchOf(Array.from({ length: 4000 }, (_, number) => clickAt(batch * 1000 + Math.floor(number / 7)))),
        );
      const exported = await exportedClicks(store(), id, { date: '2026-10-10' });
      const times = new Set(exported.map(({ clicked_at }) => clicked_at));
      expect([exported.length, times.size]).toEqual([16_000, 4 * Math.ceil(4000 / 7)]);
    });
  });
}
