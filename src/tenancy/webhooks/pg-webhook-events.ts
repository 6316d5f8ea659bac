import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { EntryValues, JournalRow } from '../journal/journal-entry';
import type { Webhook } from './webhook';
import type { WebhookEvent } from './webhook-event';

/** Entries that one statement searches for matches. */
const searchedAtOnce = 10_000;

const entriesAtOnce = 100;

/** Events of the entries that one statement returns, unless its first entry has more. */
const eventsAtOnce = 1000;

export type EventFilter = Pick<Webhook, 'accountId' | 'projectId' | 'eventTypes' | 'tagIds' | 'perLink'>;

interface EntryRow extends Omit<WebhookEvent, 'sequence' | 'part'> {
  sequence: string;
  rows: JournalRow[] | null;
  /** Links of the entry that have one of the tags now. */
  tagged: string[] | null;
  count: number;
}

const columns = `entry.sequence, entry.at, entry.type, entry.project_id AS "projectId", entry.resource_id AS "resourceId",
  coalesce(cardinality(entry.resource_ids), 1) AS "resourceCount", entry.resource_ids AS "resourceIds", entry.actor, entry.before, entry.after`;

/** Reads events from the journal. */
@Injectable()
export class PgWebhookEvents {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Returns the next events that match, in their order.
   * @param last the last entry that may be read
   * @returns also the last entry that was read, with or without a match
   */
  async after(filter: EventFilter, first: number, last: number): Promise<{ events: WebhookEvent[]; upTo: number }> {
    const { accountId, projectId, eventTypes, tagIds, perLink } = filter;
    const end = Math.min(last, first + searchedAtOnce);
    const rows = await this.context.read<EntryRow>(
      `SELECT ${columns}, CASE WHEN $7 THEN entry.rows END AS rows, link.tagged
       FROM journal AS entry
       CROSS JOIN LATERAL (
         SELECT array_agg(id) AS tagged FROM dynamic_links
         WHERE $6::uuid[] IS NOT NULL AND id = ANY (coalesce(entry.resource_ids, ARRAY[entry.resource_id])) AND tag_ids && $6::uuid[]
       ) AS link
       WHERE entry.account_id = $1 AND entry.sequence > $2 AND entry.sequence <= $3
         AND ($4::uuid IS NULL OR entry.project_id = $4)
         AND is_event_selected($5, entry.type)
         AND ($6::uuid[] IS NULL OR link.tagged IS NOT NULL OR EXISTS (
           SELECT FROM jsonb_array_elements(coalesce(entry.rows, jsonb_build_array(jsonb_build_object('before', entry.before, 'after', entry.after)))) AS changed
           WHERE changed->'before'->'tag_ids' ?| $6::text[] OR changed->'after'->'tag_ids' ?| $6::text[]
         ))
       ORDER BY entry.sequence LIMIT ${entriesAtOnce}`,
      [accountId, first, end, projectId, eventTypes, tagIds, perLink],
    );
    const events: WebhookEvent[] = [];
    for (const [at, row] of rows.entries()) {
      if (at > 0 && perLink && events.length + row.resourceCount > eventsAtOnce)
        return { events, upTo: Number(rows[at - 1]!.sequence) };
      events.push(...eventsOf(row, perLink, tagIds));
    }
    return { events, upTo: rows.length === entriesAtOnce ? Number(rows.at(-1)!.sequence) : end };
  }

  /** Returns the named events. Those of dropped months are missing. */
  async find(accountId: string, named: readonly { sequence: number; part: number }[]): Promise<WebhookEvent[]> {
    if (named.length === 0) return [];
    const rows = await this.context.read<EntryRow>(
      `SELECT ${columns}, CASE WHEN wanted.divided THEN entry.rows END AS rows
       FROM (SELECT sequence, bool_or(part > 0) AS divided FROM unnest($2::bigint[], $3::int[]) AS one (sequence, part) GROUP BY sequence) AS wanted
       JOIN journal AS entry ON entry.account_id = $1 AND entry.sequence = wanted.sequence`,
      [accountId, named.map(({ sequence }) => sequence), named.map(({ part }) => part)],
    );
    const entries = new Map(rows.map((row) => [Number(row.sequence), row]));
    return named.flatMap(({ sequence, part }) => {
      const entry = entries.get(sequence);
      return entry ? [part === 0 ? wholeEvent(entry) : partOf(entry, part)] : [];
    });
  }

  /** Returns the last entry before a time, for which all later ones are sent again; null if the journal has none since. */
  async lastBefore(accountId: string, since: number): Promise<number | null> {
    const [row] = await this.context.read<{ first: string | null }>(
      'SELECT min(sequence) AS first FROM journal WHERE account_id = $1 AND at >= to_timestamp($2 / 1000.0)',
      [accountId, since],
    );
    return row!.first === null ? null : Number(row!.first) - 1;
  }
}

const wholeEvent = ({ rows: _rows, tagged: _tagged, sequence, ...event }: EntryRow): WebhookEvent => ({
  ...event,
  sequence: Number(sequence),
  part: 0,
});

/** @param part from 1 */
function partOf(row: EntryRow, part: number): WebhookEvent {
  const changed = row.rows?.[part - 1];
  return {
    ...wholeEvent(row),
    part,
    resourceId: row.resourceIds?.[part - 1] ?? null,
    resourceCount: 1,
    resourceIds: null,
    before: changed?.before ?? null,
    after: changed?.after ?? null,
  };
}

function eventsOf(row: EntryRow, perLink: boolean, tagIds: readonly string[] | null): WebhookEvent[] {
  if (!perLink || row.resourceIds === null) return [wholeEvent(row)];
  const tagged = new Set(row.tagged);
  return row.resourceIds
    .map((_id, at) => partOf(row, at + 1))
    .filter(
      ({ resourceId, before, after }) =>
        tagIds === null || tagged.has(resourceId!) || [before, after].some((values) => hasTag(values, tagIds)),
    );
}

const hasTag = (values: EntryValues | null, tagIds: readonly string[]): boolean => {
  const tags = values?.['tag_ids'];
  return Array.isArray(tags) && tags.some((tag) => tagIds.includes(String(tag)));
};
