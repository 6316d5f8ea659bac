import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeFunnelSql } from '../../src/clicks/app-events/pg-store-funnel.repository';
import { conversionStatisticsSql } from '../../src/clicks/conversions/pg-conversion-statistics.repository';
import { clickHouseStatisticsSql } from '../../src/clicks/statistics/clickhouse-statistics-sql';
import { clickedLinksSql, clickHouseTagsSql } from '../../src/clicks/statistics/clickhouse-tags-sql';
import { appStatisticsSql, variantsSql } from '../../src/clicks/statistics/pg-app-statistics.repository';
import { statisticsSql } from '../../src/clicks/statistics/pg-statistics-sql';
import type { StatisticsCriteria } from '../../src/clicks/statistics/statistics';
import { isUtm, noFilter } from '../../src/clicks/statistics/statistics-filter';
import { DescribedService } from '../properties/described-place';
import { describedOperations, nameOfOperation } from '../support/described-operations';
import { allStatementsOf } from '../support/statements';

/** Compares statements, each below its requests, with a file. `jest -u` rewrites the file. */
function expectGolden(name: string, statements: [request: string, sql: string][]): void {
  const requestsBySql: Record<string, string> = {};
  for (const [line, sql] of statements) requestsBySql[sql] = `${requestsBySql[sql] ?? ''}-- ${line}\n`;
  const text = Object.entries(requestsBySql)
    .map(([sql, lines]) => `${lines}${sql};\n`)
    .join('\n');
  const file = join(__dirname, 'sql', `${name}.sql`);
  const { _updateSnapshot: mode } = expect.getState().snapshotState as unknown as { _updateSnapshot: string };
  if (mode === 'all' || (mode === 'new' && !existsSync(file))) writeFileSync(file, text);
  // If the change is intended: npx jest --selectProjects http -u --testPathPatterns golden-sql
  expect(text).toBe(readFileSync(file, 'utf8'));
}

describe('the statements of lists', () => {
  const described = new DescribedService();

  /** Look-ups have no order, and sums for lists by clicks depend on the day. */
  const isOfList = (sql: string): boolean => /ORDER BY|COUNT\(1\)/.test(sql) && !sql.startsWith('WITH fresh');
  const lists = describedOperations.filter(({ method, query }) => method === 'GET' && 'page' in query);
  test.each(lists.map((list) => [nameOfOperation(list), list] as const))('%s', async (_, { template, query }) => {
    const place = await described.place();
    const valid: typeof place.valid = { ...place.valid, external_id: () => place.ids['externalId'] };
    const requests = Object.entries(query)
      .filter(([name]) => !['page', 'limit'].includes(name))
      .flatMap(([name, { enum: choices }]) =>
        (choices ?? [valid[name]?.() ?? 'summer']).map((value) => ({ [name]: String(value) })),
      );
    const statements: [string, string][] = [];
    for (const request of [{}, ...requests, { page: '70' }]) {
      const url = `${place.pathOf(template)}?${new URLSearchParams(request).toString()}`;
      const sent = await allStatementsOf(described.on, async () =>
        expect((await place.send('GET', url)).status).toBe(200),
      );
      const [name, value] = Object.entries<string>(request)[0] ?? ['plain'];
      const line = name in valid || !value ? name : `${name}=${value}`;
      for (const sql of sent) if (isOfList(sql)) statements.push([line, sql.replaceAll(/_[0-9a-f]{32}/g, '_…')]);
    }
    expectGolden(template.replaceAll(/^\/|\{\w+\}\//g, '').replaceAll('/', '-'), statements);
  });
});

describe('the statements of statistics', () => {
  const [from, ...later] = ['2026-05-31T00:00Z', '2026-06-30T00:00Z', '2026-07-01T09:15Z'].map((time) =>
    Date.parse(time),
  );
  const window = { from: from!, to: later[1]!, starts: [from!, later[0]!] };
  const ofAll = { projectId: 'project', window, filter: noFilter, includeBots: false };
  const questions = [{}, { linkId: 'link' }].map((of) => ({ ...ofAll, ...of }));
  type Statements = Parameters<typeof expectGolden>[1];
  // Other groupings differ in the name of a column.
  const asked = questions.flatMap((one) =>
    ([null, 'referrer', 'link', 'short_link'] as const).map((groupBy) => ({ ...one, groupBy })),
  );
  const nameOf = (one: { linkId?: string; groupBy: string | null }) => `${one.linkId ?? 'project'} by ${one.groupBy}`;

  const [ofProject] = questions;
  const filtered: [string, StatisticsCriteria][] = [
    [
      'platform and country',
      { ...ofProject!, groupBy: null, filter: { ...noFilter, values: { platform: ['ios'], country: ['AT'] } } },
    ],
    ['links by referrer', { ...ofProject!, groupBy: 'referrer', filter: { ...noFilter, links: ['link'] } }],
    [
      'platform by campaign',
      { ...ofProject!, groupBy: 'utm_campaign', filter: { ...noFilter, values: { platform: ['ios'] }, qr: false } },
    ],
    [
      'referrer by country',
      { ...ofProject!, groupBy: 'country', filter: { ...noFilter, values: { referrer: ['a.example'] }, bot: true } },
    ],
  ];

  test('PostgreSQL', () => {
    const all = [...asked, { ...asked[0]!, includeBots: true }, { ...questions[0]!, groupBy: 'tag' as const }];
    expectGolden('statistics-postgres', all.map((one) => [nameOf(one), statisticsSql(one).sql]) as Statements);
  });
  test('PostgreSQL, with filters', () => {
    expectGolden(
      'statistics-filtered',
      filtered.map(([name, one]) => [name, statisticsSql(one).sql]),
    );
  });
  test('opens and claims', () => {
    const apps = questions.flatMap((one) =>
      ([null, 'version'] as const).map((groupBy) => ({ ...one, metric: 'opens' as const, groupBy })),
    );
    expectGolden('statistics-apps', apps.map((one) => [nameOf(one), appStatisticsSql(one).sql]) as Statements);
  });
  test('the way through the store', () => {
    const open = { projectId: 'project', window, links: null, platforms: undefined, browsers: undefined };
    const conditions = { links: ['link'], platforms: ['ios'], browsers: [''] };
    expectGolden('statistics-store-funnel', [
      ...([null, 'browser', 'link'] as const).map((groupBy): Statements[number] => [
        `by ${groupBy}`,
        storeFunnelSql({ ...open, groupBy }).sql,
      ]),
      ['with all conditions', storeFunnelSql({ ...open, ...conditions, groupBy: null }).sql],
    ]);
  });
  test('conversions', () => {
    const open = { projectId: 'project', window, links: null, events: null, includeUntrusted: false };
    const asked = ([null, 'event', 'tag'] as const).map((groupBy) => ({ ...open, groupBy }));
    const filtered = { ...asked[0]!, links: ['link'], events: ['purchase'] };
    expectGolden('statistics-conversions', [
      ...asked.map((one): Statements[number] => [nameOf(one), conversionStatisticsSql(one).sql]),
      ['links and events', conversionStatisticsSql(filtered).sql],
      ['clicks and opens of variants', variantsSql],
    ]);
  });
  test('ClickHouse', () => {
    const { begin, end } = clickHouseTagsSql(questions[0]!);
    expectGolden('statistics-clickhouse', [
      ...(asked.map((one) => [nameOf(one), clickHouseStatisticsSql(one).sql]) as Statements),
      ['links of tags', clickedLinksSql(questions[0]!, 500_000).sql],
      ['project by tag', `WITH ${begin}…${end}`],
      ...filtered
        .filter(([, { groupBy }]) => !isUtm(groupBy))
        .map(([name, one]): Statements[number] => [
          name,
          clickHouseStatisticsSql(one as Parameters<typeof clickHouseStatisticsSql>[0]).sql,
        ]),
    ]);
  });
});
