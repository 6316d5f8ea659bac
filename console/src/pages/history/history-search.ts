/** The kinds of resources that entries have, in the order of the menu. */
export const journalKinds = [
  'link',
  'short_link',
  'ios_app',
  'android_app',
  'app_release',
  'domain',
  'tag',
  'template',
  'share',
  'import',
  'project',
  'api_key',
  'webhook',
  'member',
  'approval',
  'user',
  'account',
  'request',
  'quota',
  'click',
  'audit_log',
] as const;
export type JournalKind = (typeof journalKinds)[number];

/** The state of a list of entries, which its address contains. */
export interface HistorySearch {
  kind?: JournalKind;
  /** Whether only deletions are listed. */
  deleted?: boolean | undefined;
  /** Id of a resource. */
  resource?: string;
}

/** Reads the address. Values that it does not understand are left out. */
export function historySearch(raw: Record<string, unknown>): HistorySearch {
  const kind = journalKinds.find((one) => one === raw['kind']);
  const resource = raw['resource'];
  return {
    ...(kind && { kind }),
    ...(kind && String(raw['deleted']) === 'true' && { deleted: true }),
    ...(typeof resource === 'string' && /^[0-9a-f-]{36}$/i.test(resource) && { resource }),
  };
}

/** Returns the filters of the API. */
export const filtersOf = ({ kind, deleted, resource }: HistorySearch) => ({
  ...(kind && { type: deleted ? `${kind}.deleted` : kind }),
  ...(resource !== undefined && { resource_id: resource }),
});
