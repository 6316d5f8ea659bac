import {
  address,
  androidApp,
  clicks,
  createdAt,
  exactText,
  flag,
  host,
  iosApp,
  needsNoPlace,
  param,
  path,
  type Reader,
  tags,
  text,
  url,
} from './field-readers';
import type { ImportSource } from './import-source';
import { isObject, looseKey } from './source-cells';
import { type SourceField, TableSource } from './table-source';

/** The targets of columns. Columns of these names need no entry in `columns`. */
export const csvTargets: ReadonlyMap<string, Reader> = new Map([
  ['short_url', address],
  ['host', host],
  ['custom_path', path],
  ['name', text('name')],
  ['desktop_url', url('desktop_url')],
  ['ios_bundle_id', iosApp],
  ['android_package_name', androidApp],
  ['ios_fallback_url', url('ios_fallback_url')],
  ['android_fallback_url', url('android_fallback_url')],
  ['ios_deferred_deep_link', flag('ios_deferred_deep_link')],
  ['social_title', text('social_title')],
  ['social_description', text('social_description')],
  ['social_image_url', url('social_image_url')],
  ['external_id', exactText('external_id')],
  ['title', text('title')],
  ['notes', text('notes')],
  ['archived', flag('archived')],
  ['disabled', flag('disabled')],
  ['tags', tags],
  ['original_created_at', createdAt],
  ['original_clicks', clicks],
]);

const paramPrefix = 'referrer_params.';

/** Returns the reader of a target; null if it does not exist. `referrer_params.KEY` sets one parameter. */
export function csvReader(target: string): Reader | null {
  if (target.startsWith(paramPrefix) && target.length > paramPrefix.length)
    return param(target.slice(paramPrefix.length));
  return csvTargets.get(target) ?? null;
}

/** Reports a column whose target does not exist. `importOptions` refuses such options. */
const reported: Reader = (cell, draft) => draft.report(cell);

/** Composes the table of an import: its columns, and those that have the names of targets. */
function tableOf(columns: unknown): TableSource {
  const mapped = Object.entries(isObject(columns) ? columns : {});
  const taken = new Set(mapped.map(([header]) => looseKey(header)));
  const ofColumns = mapped.map(([header, target]): SourceField => [
    [header],
    target === null ? needsNoPlace : ((typeof target === 'string' ? csvReader(target) : null) ?? reported),
  ]);
  const ofTargets = [...csvTargets].filter(([name]) => !taken.has(looseKey(name)));
  const fields = [...ofColumns, ...ofTargets.map(([name, read]): SourceField => [[name], read])];
  return new TableSource('csv', fields, {
    texts: fields.filter(([, read]) => read === path).map(([[name]]) => name),
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
