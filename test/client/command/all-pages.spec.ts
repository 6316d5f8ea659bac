import { allItems, type PageQuery } from '../../../clients/typescript/src/command/all-pages';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

/** Reads a list of ids that `change` replaces before each request but the first. */
async function readWith(ids: string[], change: (ids: string[], request: number) => string[] = (same) => same) {
  let list = ids;
  const queries: PageQuery[] = [];
  const read = async (query: PageQuery) => {
    if (queries.length > 0) list = change(list, queries.length);
    queries.push(query);
    const end = query.page * query.limit;
    const data = list.slice(end - query.limit, end).map((id) => ({ id }));
    return { data, pagination: { hasNextPage: end < list.length } };
  };
  const items: string[] = [];
  for await (const { id } of allItems(read)) items.push(id);
  return { items, list, queries };
}

test.each([0, 1, 100, 101, 199, 1234])('%d items are read in their order', async (count) => {
  const { items } = await readWith(numbered(count));
  expect(items).toEqual(numbered(count));
});

test('a long list takes few more requests than it has pages', async () => {
  const { items, queries } = await readWith(numbered(100_000));
  expect(items).toHaveLength(100_000);
  expect(Math.max(...queries.map(({ limit }) => limit))).toBe(100);
  expect(queries.length).toBeLessThan(1200);
});

test.each<[string, (ids: string[], request: number) => string[]]>([
  ['first item is deleted', ([, ...rest]) => rest],
  ['last item that was read is deleted', (ids, request) => (request === 1 ? ids.toSpliced(99, 1) : ids)],
  ['150 items are deleted', (ids, request) => (request === 3 ? ids.slice(150) : ids)],
  ['first item is deleted while one is appended', ([, ...rest], request) => [...rest, `new ${request}`]],
  ['list becomes shorter than its read part', (ids, request) => (request === 2 ? ids.slice(0, 120) : ids)],
])('no item is skipped if the %s', async (_, change) => {
  const { items, list } = await readWith(numbered(500), change);
  expect(items).toEqual(expect.arrayContaining(list));
  expect(new Set(items).size).toBe(items.length);
});

test('no item is repeated if others are created before it', async () => {
  const { items } = await readWith(numbered(500), (ids, request) => [`new ${request}`, ...ids]);
  expect(items).toEqual(numbered(500));
});

test('the reading of a list ends that always changes more than a page', async () => {
  const changed = (request: number) => Array.from({ length: 300 }, (_, at) => `${request}-${at}`);
  const { queries } = await readWith(changed(0), (_, request) => changed(request));
  expect(queries.length).toBeLessThan(3000);
});
