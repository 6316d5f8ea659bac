import type { Import, operations } from 'signpost-client';

type Options = NonNullable<operations['createImport']['parameters']['query']>;
export type Source = NonNullable<Options['source']>;
export type ConflictPolicy = NonNullable<Options['conflict']>;

/** The sources in the order of the form, with the names of their systems. */
export const sourceNames: Partial<Record<Source, string>> & Record<Exclude<Source, 'csv' | 'signpost'>, string> = {
  'firebase-dynamic-links': 'Firebase Dynamic Links',
  branch: 'Branch',
  bitly: 'Bitly',
  dub: 'Dub',
  'short-io': 'Short.io',
  rebrandly: 'Rebrandly',
  shlink: 'Shlink',
  kutt: 'Kutt',
  yourls: 'YOURLS',
};

export const sources: Source[] = [...(Object.keys(sourceNames) as Source[]), 'csv', 'signpost'];

export const importMethods = ['file', 'api'] as const;
export type ImportMethod = (typeof importMethods)[number];

/** Choices for files and lists alike. */
export interface ImportRules {
  conflict: ConflictPolicy;
  timeZone: string;
  dateFormat: DateFormat;
}

/** Orders of day and month in dates that do not begin with the year. Of the service. */
export const dateFormats = ['iso', 'day_first', 'month_first'] as const;
export type DateFormat = (typeof dateFormats)[number];

export const defaultRules: ImportRules = { conflict: 'skip', timeZone: 'UTC', dateFormat: 'iso' };

/** Returns the choices of an import. */
export function rulesOf({ conflict, options }: Pick<Import, 'conflict' | 'options'>): ImportRules {
  const { time_zone: zone, date_format: format } = options;
  return {
    conflict: conflictPolicies.find((policy) => policy === conflict) ?? 'skip',
    timeZone: typeof zone === 'string' ? zone : 'UTC',
    dateFormat: dateFormats.find((one) => one === format) ?? 'iso',
  };
}

export const conflictPolicies: ConflictPolicy[] = ['skip', 'replace', 'fail'];

/** Times of Signpost always have an offset. */
export const hasTimesWithoutZone = (source: Source): boolean => source !== 'signpost';

/** Returns the options for times. Without them, the service reads times as UTC, and refuses dates with two meanings. */
export const timeOptions = (
  source: Source,
  { timeZone, dateFormat }: ImportRules,
): { time_zone?: string; date_format?: DateFormat } =>
  hasTimesWithoutZone(source)
    ? {
        ...(timeZone !== 'UTC' && { time_zone: timeZone }),
        ...(dateFormat !== 'iso' && { date_format: dateFormat }),
      }
    : {};
