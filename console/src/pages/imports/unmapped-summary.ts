import type { Import, ImportRow } from 'signpost-client';
import { nameKey } from './column-targets';

/** Fields that name an app, in all sources, in the form of `nameKey`. */
const appFields = ['ibi', 'iosbundleid', 'apn', 'androidpackagename'];

const maxFields = 12;
const maxExampleLength = 100;

export interface UnmappedSummary {
  missingApps: string[];
  fields: { field: string; count: number; example: string }[];
}

/** Sums up the values of rows that have no place, the most frequent field first. */
export function unmappedSummary({ options }: Pick<Import, 'options'>, rows: readonly ImportRow[]): UnmappedSummary {
  const columns = Object.entries((options['columns'] as Record<string, unknown> | undefined) ?? {});
  const ofApps = new Set([
    ...appFields,
    ...columns.flatMap(([column, target]) =>
      target === 'ios_bundle_id' || target === 'android_package_name' ? [nameKey(column)] : [],
    ),
  ]);
  const apps = new Set<string>();
  const fields = new Map<string, { count: number; example: string }>();
  for (const { field, value } of rows.flatMap(({ unmapped }) => unmapped)) {
    if (ofApps.has(nameKey(field))) apps.add(value);
    else
      fields.set(field, { count: (fields.get(field)?.count ?? 0) + 1, example: fields.get(field)?.example ?? value });
  }
  return {
    missingApps: [...apps],
    fields: [...fields]
      .map(([field, { count, example }]) => ({ field, count, example: example.slice(0, maxExampleLength) }))
      .sort((a, b) => b.count - a.count)
      .slice(0, maxFields),
  };
}
