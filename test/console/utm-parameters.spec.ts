import { load } from './load';

const { splitUtm, withParameters } = load('pages/link/utm-parameters');

test.each<[string, string, Record<string, string>]>([
  ['https://a.example/?utm_source=mail', 'https://a.example/', { utm_source: 'mail' }],
  [' https://a.example/p?x=1&utm_source=a+b&y=%2f#f?z ', 'https://a.example/p?x=1&y=%2f#f?z', { utm_source: 'a b' }],
  ['a.example?utm_term=%C3%A4&utm_content=c', 'a.example', { utm_term: 'ä', utm_content: 'c' }],
  ['https://a.example/?utm_source=1&utm_source=2', 'https://a.example/', { utm_source: '2' }],
  ['https://a.example/?utm%5Fmedium=m&utm_id=7', 'https://a.example/?utm_id=7', { utm_medium: 'm' }],
  ['https://a.example/?utm_source=&utm_medium=%', 'https://a.example/?utm_source=', { utm_medium: '%' }],
])('%s is split', (pasted, address, values) => {
  expect(splitUtm(pasted)).toEqual({
    address,
    parameters: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
});

test.each(['', 'https://a.example/', 'https://a.example/?x=1', 'https://a.example/#?utm_source=mail', 'UTM_SOURCE=x'])(
  '%j has no UTM values',
  (pasted) => expect(splitUtm(pasted)).toBeNull(),
);

test('values of the same name are replaced in their place', () => {
  const rows = [
    { key: 'utm_source', value: 'old' },
    { key: 'ref', value: '1' },
  ];
  const added = [
    { key: 'utm_medium', value: 'm' },
    { key: 'utm_source', value: 'new' },
  ];
  expect(withParameters(rows, added)).toEqual([
    { key: 'utm_source', value: 'new' },
    { key: 'ref', value: '1' },
    { key: 'utm_medium', value: 'm' },
  ]);
});
