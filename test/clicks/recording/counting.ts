import type { Click, OpenedLink } from '../../../src/clicks/recording/click';
import { ClickBatch } from '../../../src/clicks/recording/click-batch';
import { PgClickRepository } from '../../../src/clicks/recording/pg-click.repository';
import type { components } from '../../../clients/typescript/src/schema';
import { newId } from '../../../src/shared/id';
import { sendApiRequest } from '../../support/api-request';
import { eventually } from '../../support/eventually';
import { fc } from '../../support/properties';
import type { TestDatabase } from '../../support/database';
import { fixture } from '../../support/fixtures';
import type { TestService } from '../../support/service';
import { aPool } from '../../support/pool';

export type Analytics = components['schemas']['Analytics'];
export type Query = Record<string, string | boolean>;

/** Reads the statistics of a project or of one of its links. */
export async function analytics(
  on: TestService,
  key: string,
  projectId: string,
  query: Query = {},
  linkId?: string,
): Promise<Analytics> {
  const path = `/projects/${projectId}${linkId === undefined ? '' : `/links/${linkId}`}/analytics`;
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await sendApiRequest(on, key, 'GET', `${path}?${search.toString()}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.body as { data: Analytics }).data;
}

/** Waits until so many visits are counted, robots included, and returns the statistics. */
export async function untilCounted(
  on: TestService,
  key: string,
  projectId: string,
  visits: number,
  query: Query = {},
): Promise<Analytics> {
  await eventually(async () => (await analytics(on, key, projectId, { include_bots: true })).totals.clicks >= visits);
  return analytics(on, key, projectId, query);
}

/** Returns the clicks of each group by its name. */
export const clicksBy = ({ groups }: Analytics): Record<string, number> =>
  Object.fromEntries(groups!.map(({ value, clicks }) => [String(value), clicks]));

export const anOpenedLink = (link: Partial<OpenedLink> = {}): OpenedLink => ({
  id: newId(),
  shortLinkId: null,
  shortLinkSource: null,
  quarterSerial: 0,
  numberInQuarter: 0,
  ...link,
});

export const aClick = (click: Pick<Click, 'at' | 'projectId' | 'link'> & Partial<Click>): Click => ({
  client: { platform: 'desktop', browser: 'Chrome', robot: false },
  referrer: null,
  country: null,
  qr: false,
  ...click,
});

/** Generates clicks on the links, with values that stores must not confuse. */
export const anyClick = (projectId: string, links: OpenedLink[], at: fc.Arbitrary<number>): fc.Arbitrary<Click> =>
  fc.record({
    at,
    projectId: fc.constant(projectId),
    link: fc.constantFrom(...links),
    client: fc.record({
      platform: fc.constantFrom('ios', 'android', 'desktop'),
      browser: fc.constantFrom('Safari', 'Samsung Internet', null),
      robot: fc.boolean(),
    }),
    referrer: fc.constantFrom(null, 'a.example', 'null', 'xn--bcher-kva.example'),
    country: fc.constantFrom(null, 'DE', 'NP'),
    qr: fc.boolean(),
  });

export function batchOf(clicks: Click[]): ClickBatch {
  const batch = new ClickBatch(Math.max(1, clicks.length));
  for (const click of clicks) batch.add(click);
  return batch;
}

/** Clicks on so many links that a roll-up with them does not add to the sums of links. */
export const clicksOnManyLinks = (projectId: string, at = Date.parse('2026-11-01T00:00:00Z')): Click[] =>
  Array.from({ length: 1001 }, () => aClick({ at, projectId, link: anOpenedLink() }));

/** SQL for the number of clicks of a row. */
export const clicksOfRow = 'cardinality(moments)';

/** Opens a repository with separate connections. */
export function clicksOn(database: Pick<TestDatabase, 'url'>) {
  const pool = aPool({ connectionString: database.url, max: 4 });
  const repository = new PgClickRepository(pool);
  return {
    repository,
    write: (clicks: Click[]) => repository.record(newId(), 1, batchOf(clicks)),
    /** Waits until nothing is fresh; running services roll up too. A roll-up has so many clicks, or one batch. */
    rollUpAll: (clicks = 100_000) =>
      eventually(async () => {
        await repository.rollUp(clicks);
        return (await pool.query('SELECT FROM fresh_click_batches LIMIT 1')).rowCount === 0;
      }),
    close: () => pool.end(),
  };
}

export const clicksFixture = (on: TestService): ReturnType<typeof clicksOn> => fixture(() => clicksOn(on.database));
