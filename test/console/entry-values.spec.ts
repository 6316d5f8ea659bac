import { load } from './load';

type Values = Record<string, unknown> | null;

const { entryValues } = load('pages/history/entry-values');
const { messages } = load('messages/en');
const { fill, rememberCatalogue } = load('i18n/text');
rememberCatalogue(messages);

const ids = ['0198c0de-7e57-7000-8000-000000000001', '0198c0de-7e57-7000-8000-0000deadbeef'] as const;
const words = {
  t: (key: string, parameters?: object) => fill(messages[key], parameters),
  dateTime: (value: string) => `at ${value.slice(0, 10)}`,
  locale: 'en',
  names: new Map([[ids[0], 'Newsletter']]),
};

const linesOf = (before: Values, after: Values): string[] =>
  entryValues({ before, after }, words).map(
    (value: Record<string, string | null>) => `${value['label']}: ${value['before']} → ${value['after']}`,
  );

const rules = (...list: object[]) => ({ rules: JSON.stringify(list) });
const variants = (weight: number) => ({ variants: JSON.stringify([{ name: 'A', url: 'https://a.example/', weight }]) });

test.each<[what: string, before: Record<string, unknown>, after: Record<string, unknown>, lines: string[]]>([
  ['a text', { desktop_url: 'a' }, { desktop_url: 'b' }, ['Web page: a → b']],
  ['no value', { notes: null }, { notes: 'b' }, ['Notes:  → b']],
  ['a switch', { archived: false }, { archived: true }, ['Archived: off → on']],
  ['a time', { active_until: null }, { active_until: '2026-12-31T22:59:00Z' }, ['End:  → at 2026-12-31']],
  [
    'a closed list',
    { release_guard: 'warn' },
    { release_guard: 'refuse' },
    ['Changes that break released apps: Make them and name the versions → Ask first'],
  ],
  ['ids', { tag_ids: [] }, { tag_ids: ids }, ['Tags:  → Newsletter, …deadbeef']],
  ['a password', { password_hash: '\\x01' }, { password_hash: '\\x02' }, ['Password: null → changed']],
  [
    'one of many parameters',
    { referrer_params: { a: '1', b: '2' } },
    { referrer_params: { a: '1', b: '3' } },
    ['Parameters · b: 2 → 3'],
  ],
  ['parameter lists', { referrer_params: [['a', '1']] }, { referrer_params: [['a', '2']] }, ['Parameters · a: 1 → 2']],
  [
    'nested data',
    { app_data: '{"screen":"a","params":{"x":1}}' },
    { app_data: '{"screen":"a","params":{"x":2}}' },
    ['Data for apps · params · x: 1 → 2'],
  ],
  ['a variant', variants(50), variants(80), ['Variant A: https://a.example/ (50) → https://a.example/ (80)']],
  [
    'a condition of a rule',
    rules({ when: { countries: ['AT'], qr: true }, then: { url: 'https://a.example/' } }),
    rules({ when: { countries: ['AT', 'DE'], os_version: { min: '16' }, query: { x: null } }, then: { store: true } }),
    [
      'Rule 1 · Countries: Austria → Austria, Germany',
      'Rule 1 · QR code: Opened by a QR code → ',
      'Rule 1 · Leads to: https://a.example/ → The store of the device',
      'Rule 1 · Version of the system:  → ≥ 16',
      'Rule 1 · Parameters of the visitor · x:  → is present',
    ],
  ],
  ['a field that no form has', { newer_field: 1 }, { newer_field: 2 }, ['newer field: 1 → 2']],
])('a change of %s is shown in the words of forms', (_, before, after, lines) => {
  expect(linesOf(before, after)).toEqual(lines);
});

test('a new and a deleted resource show their values without those that stand beside them', () => {
  const values = { id: ids[0], name: 'A', project_id: ids[1], custom_path: 'a', archived: false, tag_ids: [] };
  expect(linesOf(null, values)).toEqual(['Path: null → a']);
  expect(linesOf(values, null)).toEqual(['Path: a → null']);
});

test('a batch shows no values', () => {
  expect(linesOf(null, null)).toEqual([]);
});
