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
const link = { desktop_url: 'https://shop.example.com/spring', tags: ['Spring'] };

test.each<[what: string, changes: Partial<Campaign>, links: object[]]>([
  ['no link of empty rows', { rows: [row({}), row({ channel: ' ' })] }, []],
  [
    'names and parameters of the channel',
    { rows: [row({ channel: 'Bahnhof Süd' })] },
    [
      {
        ...link,
        name: 'Spring: Bahnhof Süd',
        referrer_params: {
          utm_source: 'bahnhof-sued',
          utm_medium: 'print',
          utm_campaign: 'spring',
          utm_content: 'bahnhof-sued',
        },
      },
    ],
  ],
  [
    'values of the row before those of the campaign',
    {
      utm_source: 'poster',
      utm_campaign: 'sp-27',
      utm_term: 'ski',
      rows: [row({ channel: 'A', utm_source: 's', utm_medium: 'm', utm_content: 'c', custom_path: ' a ' })],
    },
    [
      {
        ...link,
        name: 'Spring: A',
        custom_path: 'a',
        referrer_params: { utm_source: 's', utm_medium: 'm', utm_campaign: 'sp-27', utm_term: 'ski', utm_content: 'c' },
      },
    ],
  ],
  [
    'no empty parameters',
    { utm_medium: '', rows: [row({ custom_path: 'x' })] },
    [{ ...link, name: 'Spring', custom_path: 'x', referrer_params: { utm_campaign: 'spring' } }],
  ],
])('a campaign has %s', (_, changes, links) => {
  expect(linksOf({ ...spring, ...changes })).toEqual(links);
});

test.each<[text: string, at: number, from: keyof Row, rows: Partial<Row>[] | null]>([
  ['one cell', 0, 'channel', null],
  [
    'A\tposter\r\nB\tflyer\r\n',
    0,
    'channel',
    [
      { channel: 'A', utm_source: 'poster' },
      { channel: 'B', utm_source: 'flyer' },
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
