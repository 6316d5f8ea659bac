import { csvTargets } from '../../../src/imports/sources/csv';
import type { MappedRecord, SourceRecord } from '../../../src/imports/sources/import-source';
import { importSources } from '../../../src/imports/sources/import-sources';
import { valueText } from '../../../src/imports/sources/source-cells';
import { TableSource } from '../../../src/imports/sources/table-source';
import { codeIn, filesBelow, readPage, tablesOf } from '../../support/pages';
import { context } from './source-context';

/** Fields that a record of the source must have: a certain one, or any that the source knows. */
const required: Record<string, SourceRecord> = {
  'firebase-dynamic-links': { link: 'https://shop.example.com/' },
  branch: { '~creation_source': '0' },
  bitly: { long_url: 'https://shop.example.com/' },
  dub: { url: 'https://shop.example.com/' },
  'short-io': { originalURL: 'https://shop.example.com/' },
  rebrandly: { destination: 'https://shop.example.com/' },
  shlink: { longUrl: 'https://shop.example.com/' },
  kutt: { target: 'https://shop.example.com/' },
  yourls: { url: 'https://shop.example.com/' },
  csv: { Leer: 'x' },
  signpost: { name: 'Base' },
};

/** JSON, or the text as it is. Numbers stay texts, as in CSV, unless the second test says otherwise. */
const exampleOf = (code: string): unknown => (/^(?:[[{]|true$|false$)/.test(code) ? JSON.parse(code) : code);

/** A value of the link after `body.`, `host`, `custom_path` and the origin's names. */
function valueAt({ link }: MappedRecord, target: string): unknown {
  const [name = '', key] = target.split(/\.(.*)/);
  if (!link) return undefined;
  if (target === 'host') return link.host;
  if (target === 'custom_path') return link.path;
  if (target === 'imported_from') return link.origin.importedFrom;
  if (target === 'original_created_at') return link.origin.originalCreatedAt?.toISOString();
  if (target === 'original_clicks') return link.origin.originalClicks;
  const value = link.body[name];
  // The tables have numbers as text.
  if (typeof value === 'number') return String(value);
  return key === undefined ? value : (value as Record<string, unknown> | undefined)?.[key];
}

interface Row {
  source: string;
  field: string;
  with: Record<string, unknown>;
  example: string;
  becomes: string;
}

const rowsOn = (source: string): Row[] =>
  tablesOf(readPage(`docs/moving-in/${source}.md`))
    .filter(({ header }) => header[0] === 'field')
    .flatMap((table) => table.rows)
    .map(([field = '', example = '', becomes = '']): Row => {
      const [name, ...conditions] = codeIn(field);
      const pairs = Array.from({ length: conditions.length / 2 }, (_, at) => conditions.slice(2 * at, 2 * at + 2));
      return {
        source,
        field: name!,
        with: Object.fromEntries(pairs.map(([other, value]) => [other!, exampleOf(value!)])),
        example: codeIn(example)[0]!,
        becomes,
      };
    });

/** The page of the source `signpost` leaves out fields that become what columns of their names become. */
function columnRows(): Row[] {
  const fields = (importSources.get('signpost') as TableSource).fields.map(([[name]]) => name);
  const described = new Set(rowsOn('signpost').map(({ field }) => field));
  return rowsOn('csv')
    .filter(({ field }) => fields.includes(field) && !described.has(field))
    .map((row) => ({ ...row, source: 'signpost' }));
}

const rows = [...[...importSources.keys()].flatMap(rowsOn), ...columnRows()];

/** Puts a name with a dot into an object. */
function nest(record: SourceRecord): SourceRecord {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const [parent = '', child] = name.split('.');
    if (child === undefined) nested[name] = value;
    else nested[parent] = { ...(nested[parent] as object | undefined), [child]: value };
  }
  return nested;
}

function mapRow({ source, field, with: others }: Row, value: unknown, form = (record: SourceRecord) => record) {
  const base = { ...required[source], ...others };
  const options = source === 'csv' ? { columns: { Spalte: field, Leer: null } } : {};
  const map = (record: SourceRecord) => importSources.get(source)!.map(form(record), { ...context, options });
  return { mapped: map({ ...base, [source === 'csv' ? 'Spalte' : field]: value }), without: map(base) };
}

describe.each([...importSources.keys()])('the table of %s', (source) => {
  const own = rows.filter((row) => row.source === source);

  test.each(own)('$field = $example: $becomes', (row) => {
    for (const form of row.field.includes('.') && source !== 'csv' ? [undefined, nest] : [undefined]) {
      const value = exampleOf(row.example);
      const { mapped, without } = mapRow(row, value, form);
      const outcomes = row.becomes.split('; ');
      expect(outcomes.length).toBeGreaterThan(0);

      const refused = outcomes.find((outcome) => outcome.startsWith('refused: '));
      if (refused) {
        expect(mapped.link).toBeNull();
        const field = source === 'csv' ? 'Spalte' : row.field;
        expect(mapped.refusals).toEqual([{ field, reason: codeIn(refused)[0] }]);
        continue;
      }
      expect(mapped.refusals).toEqual([]);
      for (const outcome of outcomes.filter((one) => one !== 'reported' && one !== 'nothing')) {
        const [target, wanted] = codeIn(outcome);
        expect([target, valueAt(mapped, target!)]).toEqual([target, exampleOf(wanted!)]);
      }
      const reports = mapped.unmapped.filter(({ field }) => field === (source === 'csv' ? 'Spalte' : row.field));
      if (!outcomes.includes('reported')) expect(reports).toEqual([]);
      else {
        expect(reports).not.toEqual([]);
        // A report has the whole value, or an item of a list.
        const reported = [value, ...(Array.isArray(value) ? value : [])].map(valueText);
        for (const report of reports) expect(reported).toContain(report.value);
      }
      if (outcomes.join() === 'reported' || outcomes.join() === 'nothing') expect(mapped.link).toEqual(without.link);
      if (outcomes.join() === 'nothing') expect(mapped.unmapped).toEqual(without.unmapped);
      if (!outcomes.some((one) => one === 'reported' || one === 'nothing'))
        expect(mapped.link).not.toEqual(without.link);
    }
  });
});

const aliases = [...importSources.values()]
  .filter((source) => source instanceof TableSource)
  .flatMap(({ name, fields }) =>
    fields.flatMap(([[field, ...others]]) => others.map((alias) => ({ source: name, field, alias }))),
  );

test.each(aliases)('$alias is another name of $field in $source', ({ source, field, alias }) => {
  const row = rows.find((one) => one.source === source && one.field === field)!;
  const value = exampleOf(row.example);
  const renamed = (record: SourceRecord): SourceRecord => {
    const { [field]: _, ...rest } = record;
    return { ...rest, [alias]: value };
  };
  const [{ mapped: byField }, { mapped: byAlias }] = [mapRow(row, value), mapRow(row, value, renamed)];
  const refusalOf = ({ reason }: { reason: string }) => reason;
  expect([byAlias.link, byAlias.refusals.map(refusalOf)]).toEqual([byField.link, byField.refusals.map(refusalOf)]);
  expect(byAlias.unmapped.map((report) => report.value)).toEqual(byField.unmapped.map((report) => report.value));
});

test('every page of a source has a row for each field that its mapper knows, and no other', () => {
  const documented = (source: string) => [
    ...new Set(rows.filter((row) => row.source === source).map((row) => row.field)),
  ];
  for (const [name, source] of importSources) {
    const known =
      source instanceof TableSource
        ? source.fields.map(([[field]]) => field)
        : [...csvTargets.keys(), 'referrer_params.utm_source'];
    expect([name, documented(name).sort()]).toEqual([name, known.sort()]);
  }
});

test('every source has a page, and every page is listed', () => {
  const pages = filesBelow('docs/moving-in', '.md').map((path) => path.replace('docs/moving-in/', ''));
  expect(pages).toEqual(expect.arrayContaining([...importSources.keys()].map((name) => `${name}.md`)));
  const [listed] = tablesOf(readPage('docs/moving-in/README.md'));
  expect(listed!.rows.map(([, source = '']) => codeIn(source)[0])).toEqual([...importSources.keys()]);
});

test('a value without a place is reported whatever its type', () => {
  for (const value of ['x', 4711, true, ['x'], { x: 1 }]) {
    const { mapped } = mapRow(
      rows.find((row) => row.field === 'lastClicked')!,
      value,
    );
    expect(mapped.unmapped).toEqual([{ field: 'lastClicked', value: valueText(value) }]);
  }
});
