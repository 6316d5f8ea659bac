import { load } from './load';

type Row = Record<'channel' | 'utm_source' | 'utm_medium' | 'utm_content' | 'custom_path', string>;
type Campaign = Record<'name' | 'desktop_url' | 'utm_campaign' | 'utm_source' | 'utm_medium' | 'utm_term', string> & {
  rows: Row[];
};

const { emptyRow, linksOf, maxRows, pasted, slugOf } = load('pages/campaign/campaign');
const row = (fields: Partial<Row>): Row => ({ ...emptyRow, ...fields });
const spring: Campaign = {
  name: ' Spring ',
  desktop_url: 'shop.example.com/spring',
  utm_campaign: '',
  utm_source: '',
  utm_medium: 'print',
  utm_term: '',
  rows: [],
};
/** Returns a link of the campaign, with these parameters and fields. */
const link = (utm: Record<string, string>, fields: object): object => ({
  desktop_url: 'https://shop.example.com/spring',
  tags: ['Spring'],
  referrer_params: Object.fromEntries(Object.entries(utm).map(([name, value]) => [`utm_${name}`, value])),
  ...fields,
});
const ofRow = { channel: 'A', utm_source: 's', utm_medium: 'm', utm_content: 'c', custom_path: ' a ' };
const station = { source: 'bahnhof-sued', medium: 'print', campaign: 'spring', content: 'bahnhof-sued' };
const ofBoth = { source: 's', medium: 'm', campaign: 'sp-27', term: 'ski', content: 'c' };

test.each<[what: string, changes: Partial<Campaign>, rows: Partial<Row>[], links: object[]]>([
  ['no link of empty rows', {}, [{}, { channel: ' ' }], []],
  ['the words of the channel', {}, [{ channel: 'Bahnhof Süd' }], [link(station, { name: 'Spring: Bahnhof Süd' })]],
  [
    'values of the row before those of the campaign',
    { utm_source: 'poster', utm_campaign: 'sp-27', utm_term: 'ski' },
    [ofRow],
    [link(ofBoth, { name: 'Spring: A', custom_path: 'a' })],
  ],
  [
    'no empty parameters',
    { utm_medium: '' },
    [{ custom_path: 'x' }],
    [link({ campaign: 'spring' }, { name: 'Spring', custom_path: 'x' })],
  ],
])('a campaign has %s', (_, changes, rows, links) => {
  expect(linksOf({ ...spring, ...changes, rows: rows.map(row) })).toEqual(links);
});

test.each<[text: string, at: number, from: keyof Row, rows: Partial<Row>[] | null]>([
  ['one cell', 0, 'channel', null],
  [
    'A\tweb\r\nB\tmail\r\n',
    0,
    'channel',
    [
      { channel: 'A', utm_source: 'web' },
      { channel: 'B', utm_source: 'mail' },
    ],
  ],
  ['a\tb\tc', 0, 'utm_content', [{ channel: 'Old', utm_content: 'a', custom_path: 'b' }]],
  ['A\nB', 1, 'channel', [{ channel: 'Old' }, { channel: 'A' }, { channel: 'B' }]],
])('%j pasted at row %i, %s', (text, at, from, rows) => {
  expect(pasted([row({ channel: 'Old' })], at, from, text)).toEqual(rows?.map(row) ?? null);
});

test('a pasted table is cut at the largest campaign', () => {
  expect(pasted([], 0, 'channel', 'x\n'.repeat(maxRows + 50))).toHaveLength(maxRows);
});

test.each([
  ['Grüße aus Österreich!', 'gruesse-aus-oesterreich'],
  [' --a  b-- ', 'a-b'],
  ['Café', 'cafe'],
  ['日本', ''],
])('%j is %j in a parameter', (text, slug) => {
  expect(slugOf(text.replace('Café', 'Cafe\u0301'))).toBe(slug);
});
