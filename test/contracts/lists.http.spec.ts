import { unknownId } from '../support/builders';
import { byCodePoint } from '../support/content';
import { inParallel } from '../support/in-parallel';
import { problem } from '../support/problem';
import { sample, scale } from '../support/scale';
import { type Place, Places } from './places';
import { type Item, resources, type Row } from './resources';

const places = new Places();

interface Page {
  data: Item[];
  pagination: object;
}

async function pageOf(place: Place, query: Record<string, string | number>): Promise<Page> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await places.send(place, 'GET', `?${text.toString()}`);
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

const pagination = (page: number, limit: number, total: number) => {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNextPage: page < totalPages, hasPreviousPage: page > 1 };
};

const idsOf = ({ data }: Page) => data.map(({ id }) => id);

/** Expects the rows with these ids in this order, for every page size. */
async function expectPages(place: Place, query: Record<string, string>, ids: string[], limits: number[]) {
  for (const limit of limits) {
    const numbers = Array.from({ length: Math.max(1, Math.ceil(ids.length / limit)) }, (_, at) => at + 1);
    const pages = await inParallel(numbers, (page) => pageOf(place, { ...query, page, limit }));
    expect(pages.flatMap(idsOf)).toEqual(ids);
    for (const [at, page] of pages.entries()) expect(page.pagination).toEqual(pagination(at + 1, limit, ids.length));
  }
}

/** Names whose order differs by code point, UTF-16 code unit and language, and three duplicates. */
const names = 'b,a,B,É,é,ä,z,Z, ,0,_,-,～,😀,a b,a-b,ab,a,a,b'.split(',');

/** Rows with three creation times and two update times, so that most orders have ties. */
const rows: Row[] = names.map((name, number) => ({
  number,
  name,
  createdAt: `2026-01-0${1 + (number % 3)}T00:00:00.000Z`,
  updatedAt: `2026-02-0${1 + ((number >> 1) % 2)}T00:00:00.000Z`,
}));

const textsToSearch = [
  ...['100% off', '100 off', 'a_b', 'axb', String.raw`back\slash`, 'backslash', 'CAFÉ', 'café', 'cafe', 'ПРИВЕТ'],
  ...['日本 😀', "it's", 'x\ny', 'ends\\', 'Größe', 'under_score', 'underscore', 'Plain'],
];

const searches: [search: string, found: string[] | 'all'][] = [
  ['', 'all'],
  ['%', ['100% off']],
  ['0%', ['100% off']],
  ['100 OFF', ['100 off']],
  ['_b', ['a_b']],
  ['a_b', ['a_b']],
  ['r_s', ['under_score']],
  ['\\', [String.raw`back\slash`, 'ends\\']],
  ['s\\', ['ends\\']],
  ['k\\s', [String.raw`back\slash`]],
  ['\\%', []],
  ['\\_', []],
  ['%%', []],
  ['CAFE', ['cafe']],
  ['café', ['CAFÉ', 'café']],
  ['É', ['CAFÉ', 'café']],
  ['привет', ['ПРИВЕТ']],
  ['ИВ', ['ПРИВЕТ']],
  ['GRÖ', ['Größe']],
  ['gröSSE', ['Größe']],
  ['grÖß', ['Größe']],
  ['😀', ['日本 😀']],
  ['本 ', ['日本 😀']],
  [' ', ['100% off', '100 off', '日本 😀']],
  ["'", ["it's"]],
  ['x\ny', ['x\ny']],
  ['*', []],
  ['nothing like it', []],
  ['x'.repeat(5000), []],
];

/** All page sizes for each order take most of the time of this spec. The default order has them in any case. */
const pageSizes = scale < 1 ? [7, 100] : [1, 6, rows.length, 100];

const pastTheEnd = [
  ...[3, 4, Number.MAX_SAFE_INTEGER].map((page) => ({ page, limit: 10 })),
  { page: 2, limit: rows.length },
  ...[100, Number.MAX_SAFE_INTEGER].map((page) => ({ page, limit: 100 })),
];

const searchParameters = ['search', 'sortBy', 'sortOrder'].map((parameter) => ({ parameter }));

interface Entry {
  id: string;
  value: string;
}

describe.each(resources.map((resource, at) => [resource.name, resource, at] as const))(
  'list of: %s',
  (_, resource, at) => {
    const { sortBy, filters = [], hides } = resource;
    let place: Place;
    let ids: string[];
    let hiddenIds: string[] = [];
    let columns: Record<string, unknown>[];
    beforeAll(async () => {
      place = await places.create(resource);
      columns = rows.map((row) => resource.row(place, row));
      ids = await places.insert({ ...resource, row: (_, { number }) => columns[number]! }, place, rows);
      // Hidden rows, which must not appear unless they are requested.
      if (hides) hiddenIds = await places.insert({ ...resource, row: hiddenRow }, place, rows);
      // Rows of another owner, which must not appear in the list.
      const other = await places.create(resource);
      await places.insert(resource, other, rows);
    });

    const hiddenRow = (where: Place, row: Row) => ({ ...resource.row(where, row), ...hides!.columns(row) });

    /** Returns the ids of the rows ordered by a column, ties by id. */
    function ordered(column: string, direction: 1 | -1, isIn: (row: Row) => boolean = () => true): string[] {
      const found = rows.filter(isIn);
      const entries = found.map(({ number }) => ({ id: ids[number]!, value: String(columns[number]![column]) }));
      return inOrder(entries, direction);
    }

    const orderedHidden = (column: string): Entry[] =>
      rows.map((row) => ({ id: hiddenIds[row.number]!, value: String(hiddenRow(place, row)[column]) }));

    function inOrder(entries: Entry[], direction: 1 | -1): string[] {
      return entries
        .sort((one, other) => direction * (byCodePoint(one.value, other.value) || byCodePoint(one.id, other.id)))
        .map(({ id }) => id);
    }

    const orders: [column: string, order: 'asc' | 'desc'][] = [
      ...new Set([...(sortBy ?? []), 'created_at', 'updated_at']),
    ].flatMap((column) => [
      [column, 'asc'],
      [column, 'desc'],
    ]);

    async function expectOrder(column: string, order: 'asc' | 'desc', limits: number[]): Promise<void> {
      await expectPages(place, { sortBy: column, sortOrder: order }, ordered(column, order === 'asc' ? 1 : -1), limits);
    }

    if (sortBy)
      test.each(orders)('sorts by %s %s by code point, ties by id, and pages partition it', (column, order) =>
        expectOrder(column, order, pageSizes),
      );

    test('returns the newest first by default, ties by id, and pages partition it', () =>
      expectPages(place, {}, ordered('created_at', -1), [...pageSizes, rows.length]));

    test('returns the first ten by default', async () => {
      const page = await pageOf(place, {});
      expect(page.pagination).toEqual(pagination(1, 10, rows.length));
      expect(idsOf(page)).toEqual(ordered('created_at', -1).slice(0, 10));
      expect(page).toEqual(
        await pageOf(place, { page: 1, limit: 10, ...(sortBy && { sortBy: 'created_at', sortOrder: 'desc' }) }),
      );
    });

    test('returns an empty page past the end', async () => {
      const { page, limit } = pastTheEnd[at % pastTheEnd.length]!;
      const past = { data: [], pagination: pagination(page, limit, rows.length) };
      expect(await pageOf(place, { page, limit })).toEqual(past);
      if (!sortBy) return;
      expect(await pageOf(place, { page, limit, sortBy: 'name' })).toEqual(past);
      expect((await pageOf(place, { page, limit, search: 'a', sortBy: 'name' })).data).toEqual([]);
    });

    test('returns an empty page for an empty list', async () => {
      const empty = await places.create(resource);
      expect(await pageOf(empty, {})).toEqual({ data: [], pagination: pagination(1, 10, 0) });
      expect(await pageOf(empty, { limit: 100 })).toEqual({ data: [], pagination: pagination(1, 100, 0) });
      if (sortBy) expect(await pageOf(empty, { search: 'a' })).toEqual({ data: [], pagination: pagination(1, 10, 0) });
    });

    // described-requests.long.spec.ts and problems-together.http.spec.ts have the other refusals.
    test('refuses the parameters of other lists', async () => {
      const all = [...resources.flatMap((other) => other.filters ?? []), ...searchParameters];
      const own = [...filters, ...(sortBy ? searchParameters : [])].map(({ parameter }) => parameter);
      for (const name of new Set(all.map(({ parameter }) => parameter).filter((each) => !own.includes(each))))
        expect(await places.send(place, 'GET', `?${name}=1`)).toBeRefusedWith('INVALID_INPUT', [
          problem('unrecognized_key', name),
        ]);
    });

    if (sortBy)
      describe('search', () => {
        let toSearch: Place;
        beforeAll(async () => {
          toSearch = await places.create(resource);
          const found = textsToSearch.map((name, number) => ({ ...rows[0]!, number, name }));
          await places.insert(resource, toSearch, found);
        });

        const expectFound = async (search: string, found: string[]) => {
          const page = await pageOf(toSearch, { search, limit: 100 });
          expect(page.data.map(({ name }) => String(name)).sort(byCodePoint)).toEqual([...found].sort(byCodePoint));
          expect(page.pagination).toEqual(pagination(1, 100, found.length));
        };

        test.each(sample(searches, at, 8))('finds the names for %j', (search, found) =>
          expectFound(search, found === 'all' ? textsToSearch : found),
        );

        test.each(Object.entries(resource.searches ?? {}))(`finds by ${sortBy[1]} for %j`, (search, found) =>
          expectFound(
            search,
            textsToSearch.filter((_, number) => found === 'all' || found.includes(number)),
          ),
        );

        test('reads a plus sign as a space', async () => {
          const answer = await places.send(toSearch, 'GET', '?search=100+OFF');
          expect((answer.body as Page).data).toEqual([expect.objectContaining({ name: '100 off' })]);
        });

        test('is sorted and paged like the list', async () => {
          const all = await pageOf(toSearch, { search: 'a', limit: 100, sortBy: sortBy[1], sortOrder: 'asc' });
          expect(all.data.length).toBeGreaterThan(4);
          const texts = all.data.map((item) => String(item[sortBy[1]]));
          expect(texts).toEqual([...texts].sort(byCodePoint));
          await expectPages(toSearch, { search: 'a', sortBy: sortBy[1], sortOrder: 'asc' }, idsOf(all), [3]);
        });

        test('finds no items of another owner', async () => {
          const empty = await places.create(resource);
          await expectPages(empty, { search: 'a' }, [], [10]);
        });
      });

    for (const { parameter, isText, rows: rowsOf } of filters)
      describe(`filter by ${parameter}`, () => {
        test('returns the matching items, newest first, ties by id, and pages partition them', async () => {
          for (const [value, isIn] of rowsOf(place)) {
            const matching = ordered('created_at', -1, isIn);
            await expectPages(place, { [parameter]: value }, matching, [3, 100]);
            await expectPages(place, { [parameter]: value.toUpperCase() }, isText ? [] : matching, [100]);
            const { data } = await pageOf(place, { [parameter]: value });
            for (const item of data) expect(item[parameter]).toBe(value);
          }
        });

        test('returns an empty list for a value of another project', async () => {
          const elsewhere = isText ? 'elsewhere' : rowsOf(await places.create(resource))[0]![0];
          for (const value of [unknownId, unknownId.toUpperCase(), place.projectId, elsewhere])
            expect(await pageOf(place, { [parameter]: value })).toEqual({ data: [], pagination: pagination(1, 10, 0) });
        });

        if (sortBy)
          test('narrows a search', async () => {
            const [value, isIn] = rowsOf(place)[0]!;
            const search = isText ? String(columns.find((_, number) => isIn(rows[number]!))!['name']) : 'a';
            const matching = rows.filter((row) => isIn(row) && columns[row.number]!['name'] === search);
            expect(matching.length).toBeGreaterThan(0);
            const page = await pageOf(place, { [parameter]: value, search, limit: 100 });
            expect(idsOf(page)).toEqual(expect.arrayContaining(matching.map(({ number }) => ids[number])));
            for (const item of page.data) expect(item[parameter]).toBe(value);
            expect((await pageOf(place, { [parameter]: unknownId, search: 'a' })).data).toEqual([]);
          });
      });

    if (hides)
      describe(`hidden rows, by ${hides.parameter}`, () => {
        const { parameter } = hides;
        const shown = (column: string): Entry[] =>
          rows.map(({ number }) => ({ id: ids[number]!, value: String(columns[number]![column]) }));

        test.each(orders)('are listed in the order of %s %s if they are requested', async (column, order) => {
          const direction = order === 'asc' ? 1 : -1;
          const sorted = { sortBy: column, sortOrder: order };
          const hidden = orderedHidden(column);
          await expectPages(place, { ...sorted, [parameter]: 'true' }, inOrder(hidden, direction), pageSizes);
          await expectPages(
            place,
            { ...sorted, [parameter]: 'any' },
            inOrder([...shown(column), ...hidden], direction),
            [7],
          );
          await expectPages(place, { ...sorted, [parameter]: 'false' }, ordered(column, direction), [100]);
        });

        test('are searched and filtered only if they are requested', async () => {
          const search = { search: 'a', limit: 100 };
          const found = idsOf(await pageOf(place, search));
          const hidden = idsOf(await pageOf(place, { ...search, [parameter]: 'true' }));
          // Other texts of hidden rows do not have the letter.
          const matching = orderedHidden('created_at').filter((_, number) => /a/i.test(rows[number]!.name));
          expect(hidden).toEqual(inOrder(matching, -1));
          expect(idsOf(await pageOf(place, { ...search, [parameter]: 'any' })).sort()).toEqual(
            [...found, ...hidden].sort(),
          );
          for (const { parameter: filter, rows: rowsOf, isText } of filters) {
            if (isText) continue;
            const [value, isIn] = rowsOf(place)[0]!;
            const matching = orderedHidden('created_at').filter((_, number) => isIn(rows[number]!));
            await expectPages(place, { [filter]: value, [parameter]: 'true' }, inOrder(matching, -1), [3]);
          }
        });
      });

    test('keeps its order without indexes', async () => {
      const indexes = await places.on.database.query<{ name: string; definition: string }>(
        `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = $1 AND indexdef NOT LIKE 'CREATE UNIQUE%'`,
        [resource.table],
      );
      expect(indexes.length).toBeGreaterThan(0);
      for (const { name } of indexes) await places.on.database.query(`DROP INDEX ${name}`);
      if (sortBy) for (const [column, order] of orders) await expectOrder(column, order, [8]);
      else await expectPages(place, {}, ordered('created_at', -1), [8]);
      // Lists of iOS and of Android have one table of releases.
      for (const { definition } of indexes) await places.on.database.query(definition);
    });
  },
);
