import type { operations } from 'signpost-client';

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
}

export const conflictPolicies: ConflictPolicy[] = ['skip', 'replace', 'fail'];

/** Times of Signpost always have an offset. */
export const hasTimesWithoutZone = (source: Source): boolean => source !== 'signpost';

/** Returns the option for the time zone. Without it, the service reads times as UTC. */
export const timeZoneOption = (source: Source, { timeZone }: ImportRules): { time_zone?: string } =>
  hasTimesWithoutZone(source) && timeZone !== 'UTC' ? { time_zone: timeZone } : {};
