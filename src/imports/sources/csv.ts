import * as to from './field-readers';
import type { ImportOptions, ImportSource } from './import-source';
import { looseKey } from './source-cells';
import { type SourceField, TableSource } from './table-source';

/** The targets of columns. Columns of these names need no entry in `columns`. */
export const csvTargets: ReadonlyMap<string, to.Reader> = new Map([
  ['short_url', to.address],
  ['host', to.host],
  ['custom_path', to.path],
  ['name', to.text('name')],
  ['desktop_url', to.url('desktop_url')],
  ['ios_bundle_id', to.app('ios')],
  ['android_package_name', to.app('android')],
  ['ios_fallback_url', to.url('ios_fallback_url')],
  ['android_fallback_url', to.url('android_fallback_url')],
  ['ios_deferred_deep_link', to.flag('ios_deferred_deep_link')],
  ['social_title', to.text('social_title')],
  ['social_description', to.text('social_description')],
  ['social_image_url', to.url('social_image_url')],
  ['query_forwarding', to.forwardingMode],
  ['forwarded_params', to.forwardedNames],
  ['external_id', to.exactText('external_id')],
  ['title', to.text('title')],
  ['notes', to.text('notes')],
  ['archived', to.flag('archived')],
  ['disabled', to.flag('disabled')],
  ['tags', to.tags],
  ['original_created_at', to.createdAt],
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
