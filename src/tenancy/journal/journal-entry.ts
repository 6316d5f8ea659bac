import type { Actor } from '../../shared/actor';

/** An entry of the journal, as lists show it. EntryValues have the names of columns. */
export interface JournalEntry {
  /** Its number in the account, from 1 without gaps. */
  sequence: number;
  at: Date;
  /** Kind of the resource and action, such as `link.updated`. */
  type: string;
  projectId: string | null;
  /** Null for a batch. */
  resourceId: string | null;
  resourceCount: number;
  actor: Actor;
  /** Name, slug or hostname as it is now, or as the entry has it; null if unknown. */
  resourceName: string | null;
  /** E-mail address of the person or name of the key, as they are now; null if they are unknown. */
  actorName: string | null;
  /** Of the person who requested a change that the actor approved; null without one. */
  requesterName: string | null;
  before: EntryValues | null;
  after: EntryValues | null;
}

export type EntryValues = Record<string, unknown>;

export interface JournalRow {
  id: string;
  before: EntryValues | null;
  after: EntryValues | null;
}

/** Entries must match all filters that are set. */
export interface JournalFilter {
  projectId?: string | undefined;
  /** A resource, also as one of a batch. */
  resourceId?: string | undefined;
  /** A type, or the kind of a resource. */
  type?: string | undefined;
  /** A user, an API key or an import. */
  actorId?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Only recent deletions that can be undone and are not. */
  restorable?: boolean | undefined;
}

/** Kinds of resources whose changes and deletions can be undone, with their tables. */
export const restorableTables: Readonly<Record<string, string>> = {
  link: 'dynamic_links',
  short_link: 'short_links',
  ios_app: 'ios_apps',
  android_app: 'android_apps',
};
