import { csvTargets } from '../../src/imports/sources/csv';
import { importOptions } from '../../src/imports/api/import-options';
import { nameKey as nameKeyOfService } from '../../src/imports/sources/source-cells';
import { load } from './load';

type Choice = string;

const mapping = load('pages/imports/column-mapping');
const { targets, otherNames, nameKey } = load('pages/imports/column-targets');
const { reported, leftOut } = mapping;

test('the console offers each target that the service knows', () => {
  expect([...targets].sort()).toEqual([...csvTargets.keys()].sort());
});

test('other names have the form in which names are compared', () => {
  const names = (otherNames as [string, string[]][]).flatMap(([, others]) => others);
  expect(names).toEqual(names.map(nameKey));
  expect(names.map(nameKey)).toEqual(names.map(nameKeyOfService));
});

test.each([
  ['Slug,Target,utm_source,Colour', ['custom_path', 'desktop_url', 'referrer_params.utm_source', reported]],
  ['Custom Path,Desktop-URL,TAGS', ['custom_path', 'desktop_url', 'tags']],
  // The clearest name wins, and `link` is what remains.
  ['Link,Long URL', ['short_url', 'desktop_url']],
  ['Short link,Link', ['short_url', 'desktop_url']],
  ['Link', ['desktop_url']],
  ['Kurz-URL,Ziel,Bezeichnung,Schlagwörter,Klicks', ['short_url', 'desktop_url', 'name', 'tags', 'original_clicks']],
  // No target is proposed twice.
  ['name,Bezeichnung,Slug,slug ', ['name', reported, 'custom_path', reported]],
  [',###', [reported, reported]],
])('columns %s are proposed as %j', (columns, proposed) => {
  expect(mapping.proposal(columns.split(','), [])).toEqual(proposed);
});

const page = 'https://shop.example.com/fr';

test.each<[what: string, columns: Record<string, string[]>, proposed: Choice[]]>([
  ['paths', { Kurzlink: ['fr-01', 'fr-02'], Ziel: [page, page] }, ['custom_path', 'desktop_url']],
  ['addresses', { Kurzlink: ['https://go.example.com/fr-01'], Ziel: [page] }, ['short_url', 'desktop_url']],
  ['addresses without a scheme', { Kurzlink: ['go.example.com/fr-01'], Ziel: [page] }, ['short_url', 'desktop_url']],
  [
    'addresses in a column of paths',
    { Slug: ['https://go.example.com/a'], Ziel: [page] },
    ['short_url', 'desktop_url'],
  ],
  ['paths in a column of destinations', { Link: ['fr-01'], URL: [page] }, ['custom_path', 'desktop_url']],
  ['paths with slashes and dots', { 'Short link': ['/fr/v1.0', 'a/b'], URL: [page] }, ['custom_path', 'desktop_url']],
  ['one mistake among addresses', { Kurzlink: ['go.example.com/a', 'x', 'go.example.com/b'] }, ['short_url']],
  ['paths, with the name of a target', { short_url: ['fr-01'], desktop_url: [page] }, ['custom_path', 'desktop_url']],
  ['a domain with paths', { Domain: ['go.example.com/a'], Ziel: [page] }, ['short_url', 'desktop_url']],
  ['a domain', { Domain: ['go.example.com', 'https://go.example.com/'], Slug: ['a'] }, ['host', 'custom_path']],
  ['URLs under a strange name', { Nummer: ['7'], Wohin: [page] }, [reported, 'desktop_url']],
  ['URLs under two strange names', { Wohin: [page], Woher: [page] }, [reported, reported]],
  ['pictures that are no URLs', { Bild: ['sommer.png'], Ziel: [page] }, [reported, 'desktop_url']],
  // The service would read this column by its name anyway.
  ['no form of a target', { host: ['Marketing'], Ziel: [page] }, ['host', 'desktop_url']],
  ['no values', { Kurzlink: ['', ' '], Ziel: [] }, ['short_url', 'desktop_url']],
])('columns with %s are proposed by their values', (_, columns, proposed) => {
  const values = Object.values(columns);
  const rows = values[0]!.map((__, row) => values.map((ofColumn) => ofColumn[row] ?? ''));
  expect(mapping.proposal(Object.keys(columns), rows)).toEqual(proposed);
});

test('a column that has the name of its target needs no entry', () => {
  const columns = ['name', 'Desktop URL', 'title', 'Nr.', 'Colour'];
  const choices = ['name', 'desktop_url', 'notes', leftOut, reported];
  expect(mapping.columnsOption(columns, choices)).toEqual({ title: 'notes', 'Nr.': null });
});

test('a column that has the name of its target needs an entry beside one with the same letters', () => {
  const columns = ['title', 'Title (%)'];
  expect(mapping.columnsOption(columns, ['title', 'title'])).toEqual({ title: 'title', 'Title (%)': 'title' });
  expect(mapping.columnsOption(columns, ['title', leftOut])).toEqual({ title: 'title', 'Title (%)': null });
});

const long = 'x'.repeat(201);

test.each<[what: string, columns: string[], choices: Choice[], faults: [number, string][]]>([
  ['nothing', ['a', 'b'], ['name', leftOut], []],
  ['a long name that is mapped', ['a', long], ['name', 'title'], [[1, 'longHeader']]],
  ['a long name that is reported', ['a', long], ['name', reported], []],
  ['equal letters', ['Slug!', 'slug'], ['custom_path', leftOut], []],
  ['no name of a parameter', ['a', 'b'], ['name', 'referrer_params.'], [[1, 'paramName']]],
  ['a column called like a property', ['__proto__', 'constructor'], ['name', 'title'], []],
])('the faults of %s, as the service finds them', (_, columns, choices, faults) => {
  expect([...mapping.columnFaults(columns, choices)]).toEqual(faults);
  const read = importOptions.safeParse({ columns: mapping.columnsOption(columns, choices) });
  expect('problems' in read).toBe(faults.length > 0);
});

test.each<[fault: string | null, columns: string[], choice: Choice]>([
  [null, ['a'], 'name'],
  ['nothing', ['a'], leftOut],
  ['nothing', [], reported],
  ['tooMany', Array.from({ length: 201 }, (_, at) => `c${at}`), 'name'],
  ['tooLong', Array.from({ length: 41 }, (_, at) => `${'x'.repeat(195)}${at}`), 'name'],
  // In the address, each of these letters has six characters.
  ['tooLong', Array.from({ length: 20 }, (_, at) => `${'ü'.repeat(180)}${at}`), 'name'],
])('a mapping as a whole has the fault %s', (fault, columns, choice) => {
  const choices = columns.map(() => choice);
  expect(mapping.mappingFault(columns, choices)).toBe(fault);
});

test('columns that become one field are counted, but tags add up', () => {
  const choices = ['name', 'name', 'name', 'tags', 'tags', reported, reported, leftOut, leftOut];
  expect(mapping.repeatedTargets(choices)).toBe(1);
});
