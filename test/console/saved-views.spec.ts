import { load } from './load';

interface View {
  name: string;
  search: Record<string, unknown>;
}

const { savedViews, keepViews, withView, maxViews } = load('pages/links/saved-views');

test.each<[kept: string | null, read: View[]]>([
  [null, []],
  ['no JSON', []],
  ['{"name":"x"}', []],
  ['[null,1,{"name":"x"},{"search":{}}]', []],
  [
    '[{"name":"Print","search":{"tag":"print","sortBy":"clicks","page":3,"unknown":1}}]',
    [{ name: 'Print', search: { tag: 'print', sortBy: 'clicks', page: 3 } }],
  ],
])('%j is read as %j', (kept, read) => {
  expect(savedViews('p', { getItem: () => kept })).toEqual(read);
});

test('views are kept by project', () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
  const views = withView([], 'Print', { tag: 'print' });
  keepViews('one', views, storage);
  expect(savedViews('one', storage)).toEqual(views);
  expect(savedViews('other', storage)).toEqual([]);
});

test('a view replaces that of its name, has no page, and is found by the alphabet', () => {
  const views = withView(withView([], 'Print', { tag: 'print', page: 2 }), 'Archive', { archived: 'true' });
  expect(views).toEqual([
    { name: 'Archive', search: { archived: 'true' } },
    { name: 'Print', search: { tag: 'print' } },
  ]);
  expect(withView(views, 'print', { tag: 'paper' })).toEqual([views[0], { name: 'print', search: { tag: 'paper' } }]);
});

test('their number is limited', () => {
  let views: View[] = [];
  for (let at = 0; at < maxViews + 5; at++) views = withView(views, `View ${at}`, {});
  expect(views).toHaveLength(maxViews);
});
