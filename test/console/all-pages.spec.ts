import { createRequire } from 'node:module';

interface Page {
  data: { id: string }[];
  pagination: { total: number; totalPages: number };
}

/** The console has other TypeScript settings, which an import would not follow. */
const { allPages } = createRequire(__filename)('../../console/src/api/all-pages') as {
  allPages: (read: (page: number) => Promise<Page>, idOf: (item: { id: string }) => string) => Promise<Page>;
};

const idOf = ({ id }: { id: string }): string => id;

test.each([
  [0, []],
  [2, [1]],
  [5, [1, 2, 3]],
])('a list of %i items in pages of two is read by the requests after the first one', async (total, pages) => {
  const asked: number[] = [];
  const items = Array.from({ length: total }, (_, at) => ({ id: String(at) }));
  const pagination = { total, totalPages: Math.ceil(total / 2) };
  const list = await allPages(async (page) => {
    asked.push(page);
    return { data: items.slice((page - 1) * 2, page * 2), pagination };
  }, idOf);
  expect(list).toEqual({ data: items, pagination });
  expect(asked).toEqual(pages.length === 0 ? [1] : pages);
});

test('an item that moves between two reads is listed once', async () => {
  const pages = [
    ['a', 'b'],
    ['b', 'c'],
  ];
  const pagination = { total: 3, totalPages: 2 };
  const list = await allPages(async (page) => ({ data: pages[page - 1]!.map((id) => ({ id })), pagination }), idOf);
  expect(list.data).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
});
