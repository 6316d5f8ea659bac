import * as to from './field-readers';
import { linkFieldEntries } from '../../links/dynamic-links/link-fields';
import type { FlagTarget, MomentTarget, TextTarget, UrlTarget } from './link-draft';
import type { ImportOptions, ImportSource } from './import-source';
import { looseKey } from './source-cells';
import { type SourceField, TableSource } from './table-source';
import { createdAt, momentTo } from './time-readers';

type Kind = (typeof linkFieldEntries)[number][1]['kind'];

/** Readers of fields by their kind. `csvReader` reads a column for each parameter. */
const readersOf: Record<Exclude<Kind, 'app' | 'params'>, (name: string) => to.Reader> = {
  text: (name) => to.textTo(name as TextTarget),
  exactText: (name) => to.exactText(name as TextTarget),
  url: (name) => to.urlTo(name as UrlTarget),
  flag: (name) => to.flagTo(name as FlagTarget),
  moment: (name) => momentTo(name as MomentTarget),
  path: () => to.path,
  forwarding: () => to.forwardingMode,
  names: () => to.forwardedNames,
  json: () => to.appDataObject,
  variants: () => to.variants,
  rules: () => to.rules,
  secret: () => to.secret,
  count: () => to.clickLimit,
  tags: () => to.tags,
};

function targetOf([name, { kind }]: (typeof linkFieldEntries)[number]): [string, to.Reader][] {
  if (kind === 'params') return [];
  if (kind !== 'app') return [[name, readersOf[kind](name)]];
  return [name === 'ios_app_id' ? ['ios_bundle_id', to.app('ios')] : ['android_package_name', to.app('android')]];
}

/** The targets of columns. Columns of these names need no entry in `columns`. */
export const csvTargets: ReadonlyMap<string, to.Reader> = new Map([
  ['short_url', to.address],
  ['host', to.host],
  ...linkFieldEntries.flatMap(targetOf),
  ['original_created_at', createdAt],
  ['original_clicks', to.clicks],
]);

const paramPrefix = 'referrer_params.';

/** Returns the reader of a target; null if it does not exist. `referrer_params.KEY` sets one parameter. */
export function csvReader(target: string): to.Reader | null {
  if (target.startsWith(paramPrefix) && target.length > paramPrefix.length)
    return to.param(target.slice(paramPrefix.length));
  return csvTargets.get(target) ?? null;
}

/** Composes the table of an import: its columns, and those that have the names of targets. */
function tableOf(columns: ImportOptions['columns'] = {}): TableSource {
  const mapped = Object.entries(columns);
  const taken = new Set(mapped.map(([header]) => looseKey(header)));
  const ofColumns = mapped.map(([header, target]): SourceField => [
    [header],
    // `importOptions` refuses other targets.
    target === null ? to.needsNoPlace : (csvReader(target) ?? to.noPlace),
  ]);
  const ofTargets = [...csvTargets].filter(([name]) => !taken.has(looseKey(name)));
  const fields = [...ofColumns, ...ofTargets.map(([name, read]): SourceField => [[name], read])];
  return new TableSource('csv', fields, {
    texts: fields.filter(([, read]) => read === to.path).map(([[name]]) => name),
  });
}

/** The tables of running imports, because each record of an import has the same options. */
const tables = new WeakMap<object, TableSource>();

/** Maps records by the columns that the caller named in `options.columns`. */
export const csv: ImportSource = {
  name: 'csv',
  map: (record, context) => {
    const { options } = context;
    const table = tables.get(options) ?? tableOf(options.columns);
    tables.set(options, table);
    return table.map(record, context);
  },
};
