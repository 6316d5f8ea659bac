import { fieldText } from '../sources/source-cells';
import { furtherValues, type UnmappedField } from '../sources/import-source';

/** Sums up the values without a place in a link, of all rows that a dry run or a run has done. */
export interface UnmappedSummary {
  readonly fields: readonly UnmappedCount[];
  readonly missingApps: readonly MissingApp[];
  /** False if rows have further fields or apps, beyond `maxSummed`. Those that are here are counted in all rows. */
  readonly complete: boolean;
}

export interface UnmappedCount {
  readonly field: string;
  readonly rows: number;
  readonly example: string;
}

export interface MissingApp {
  readonly platform: 'ios' | 'android';
  readonly identifier: string;
  readonly rows: number;
}

/** Fields, and missing apps, that an import counts, because each batch of rows stores the counts. */
export const maxSummed = 100;

const maxExampleLength = 100;

export const nothingUnmapped: UnmappedSummary = { fields: [], missingApps: [], complete: true };

export function withUnmapped(summary: UnmappedSummary, rows: readonly (readonly UnmappedField[])[]): UnmappedSummary {
  if (rows.every((row) => row.length === 0)) return summary;
  const fields = new Map(summary.fields.map((one) => [one.field, one]));
  const apps = new Map(summary.missingApps.map((one) => [`${one.platform} ${one.identifier}`, one]));
  let { complete } = summary;
  const count = <T extends { rows: number }>(counts: Map<string, T>, key: string, first: Omit<T, 'rows'>): void => {
    const known = counts.get(key);
    if (known || counts.size < maxSummed) counts.set(key, { ...(known ?? first), rows: (known?.rows ?? 0) + 1 } as T);
    else complete = false;
  };
  for (const row of rows) {
    const ofApps = new Map<string, Omit<MissingApp, 'rows'>>();
    const ofFields = new Map<string, string>();
    for (const { field, value, app } of row)
      if (app) ofApps.set(`${app} ${identifierOf(value)}`, { platform: app, identifier: identifierOf(value) });
      else if (field === furtherValues) complete = false;
      else if (!ofFields.has(field)) ofFields.set(field, value);
    for (const [key, app] of ofApps) count(apps, key, app);
    for (const [field, value] of ofFields) count(fields, field, { field, example: exampleOf(value) });
  }
  return { fields: [...fields.values()], missingApps: [...apps.values()], complete };
}

const identifierOf = (value: string): string => fieldText(value.trim());

/** Cuts a value. Half of a surrogate pair could not be stored. */
const exampleOf = (value: string): string =>
  value.length <= maxExampleLength ? value : `${value.slice(0, maxExampleLength).toWellFormed()}…`;
