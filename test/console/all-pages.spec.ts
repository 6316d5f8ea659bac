import { load } from './load';

const { allPages } = load('api/all-pages');

const idOf = ({ id }: { id: string }): string => id;

test.each([
  [0, []],
  [2, [1]],
  [5, [1, 2, 3]],
])('a list of %i items in pages of two is read by the requests after the first one', async (total, pages) => {
  const asked: number[] = [];
  const items = Array.from({ length: total }, (_, at) => ({ id: String(at) }));
  const pagination = { total, totalPages: Math.ceil(total / 2) };
  const list = await allPages(async (page: number) => {
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
  const list = await allPages(async (at: number) => ({ data: pages[at - 1]!.map((id) => ({ id })), pagination }), idOf);
  expect(list.data).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
});
