import { createRequire } from 'node:module';
import { csvTargets } from '../../src/management-api/import-sources/csv';
import { importOptions } from '../../src/management-api/import-sources/import-options';
import { nameKey as nameKeyOfService } from '../../src/management-api/import-sources/source-cells';

type Choice = string;

interface Mapping {
  reported: Choice;
  leftOut: Choice;
  proposal(columns: string[]): Choice[];
  columnsOption(columns: string[], choices: Choice[]): Record<string, string | null>;
  columnFaults(columns: string[], choices: Choice[]): Map<number, string>;
  mappingFault(columns: string[], choices: Choice[]): string | null;
  repeatedTargets(choices: Choice[]): number;
}

/** The console has other TypeScript settings, which an import would not follow. */
const load = createRequire(__filename);
const mapping = load('../../console/src/pages/imports/column-mapping') as Mapping;
const { targets, otherNames, nameKey } = load('../../console/src/pages/imports/column-targets') as {
  targets: string[];
  otherNames: [target: string, names: string[]][];
  nameKey(name: string): string;
};
const { reported, leftOut } = mapping;

test('the console offers each target that the service knows', () => {
  expect([...targets].sort()).toEqual([...csvTargets.keys()].sort());
});

test('other names have the form in which names are compared', () => {
  const names = otherNames.flatMap(([, others]) => others);
  expect(names).toEqual(names.map(nameKey));
  expect(names.map(nameKey)).toEqual(names.map(nameKeyOfService));
});

test.each<[columns: string[], proposed: Choice[]]>([
  [
    ['Slug', 'Target', 'utm_source', 'Colour'],
    ['custom_path', 'desktop_url', 'referrer_params.utm_source', reported],
  ],
  [
    ['Custom Path', 'Desktop-URL', 'TAGS'],
    ['custom_path', 'desktop_url', 'tags'],
  ],
  // The clearest name wins, and `link` is what remains.
  [
    ['Link', 'Long URL'],
    ['short_url', 'desktop_url'],
  ],
  [
    ['Short link', 'Link'],
    ['short_url', 'desktop_url'],
  ],
  [['Link'], ['desktop_url']],
  [
    ['Kurz-URL', 'Ziel', 'Bezeichnung', 'Schlagwörter', 'Klicks'],
    ['short_url', 'desktop_url', 'name', 'tags', 'original_clicks'],
  ],
  // No target is proposed twice.
  [
    ['name', 'Bezeichnung', 'Slug', 'slug '],
    ['name', reported, 'custom_path', reported],
  ],
  [
    ['', '###'],
    [reported, reported],
  ],
])('columns %j are proposed as %j', (columns, proposed) => {
  expect(mapping.proposal(columns)).toEqual(proposed);
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
  expect(
    mapping.mappingFault(
      columns,
      columns.map(() => choice),
    ),
  ).toBe(fault);
});

test('columns that become one field are counted, but tags add up', () => {
  expect(mapping.repeatedTargets(['name', 'name', 'name', 'tags', 'tags', reported, reported, leftOut, leftOut])).toBe(
    1,
  );
});
