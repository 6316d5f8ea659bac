import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { type JournalEntry, type JournalFilter, type JournalRow, restorableTables } from './journal-entry';

/** Entries per statement. Each takes some 25 µs. */
const sealedAtOnce = 5000;

const checkedAtOnce = 10_000;

/** Returns the expression of the e-mail address of a person, or the name at the identity provider. */
const personName = (field: string) => `(SELECT coalesce(email, (
  SELECT subject FROM user_identities WHERE account_id = entry.account_id AND user_id = users.id ORDER BY created_at LIMIT 1
)) FROM users WHERE id = (entry.actor->>'${field}')::uuid)`;

const actorName = `coalesce((SELECT name FROM api_keys WHERE id = (entry.actor->>'api_key_id')::uuid), ${personName('user_id')})`;

const binDays = 30;

/** The last deletion of a resource, or a deletion of a batch, after which at least one resource is missing. */
const isRestorable = `(
  entry.at > now() - interval '${binDays} days' AND (${Object.entries(restorableTables)
    .map(
      ([kind, table]) => `(entry.type = '${kind}.deleted' AND EXISTS (
        SELECT FROM unnest(coalesce(entry.resource_ids, ARRAY[entry.resource_id])) AS gone (gone_id)
        WHERE NOT EXISTS (SELECT FROM ${table} AS existing WHERE existing.id = gone_id)
      ))`,
    )
    .join(' OR ')})
  AND NOT EXISTS (
    SELECT FROM journal AS later
    WHERE later.resource_id = entry.resource_id AND later.sequence > entry.sequence AND later.type = entry.type
  )
)`;

const resourceName = `coalesce(
  (SELECT name FROM dynamic_links WHERE id = entry.resource_id), (SELECT slug FROM short_links WHERE id = entry.resource_id),
  (SELECT version FROM app_releases WHERE id = entry.resource_id),
  (SELECT name FROM ios_apps WHERE id = entry.resource_id), (SELECT name FROM android_apps WHERE id = entry.resource_id),
  (SELECT name FROM link_templates WHERE id = entry.resource_id),
  (SELECT name FROM tags WHERE id = entry.resource_id), (SELECT name FROM statistic_shares WHERE id = entry.resource_id),
  (SELECT hostname FROM custom_domains WHERE id = entry.resource_id),
  (SELECT name FROM projects WHERE id = entry.resource_id), (SELECT name FROM api_keys WHERE id = entry.resource_id),
  (SELECT url FROM webhook_endpoints WHERE id = entry.resource_id),
  entry.before->>'name', entry.before->>'slug', entry.before->>'hostname', entry.before->>'url', entry.after->>'name', entry.after->>'slug'
)`;

/** Returns the expression of the former or new values of the entry, or of one row of a batch. */
const valuesOf = (side: 'before' | 'after') => `coalesce(entry.${side}, (
  SELECT changed->'${side}' FROM jsonb_array_elements(entry.rows) AS changed WHERE changed->>'id' = $3
))`;

interface EntryRow extends Omit<JournalEntry, 'sequence'> {
  sequence: string;
  rows?: JournalRow[] | null;
}

/** An event that callers can repeat at will. */
interface BoundedEvent {
  projectId: string | null;
  type: string;
  resourceId: string | null;
  details: object;
  /** The API key or user. */
  subject: string;
  /** Distinguishes the events of a type, with the subject. */
  what: string;
  /** Hours without a further entry; null for ever. */
  hours: number | null;
}

/** Reads the journal, which triggers write (migrations/0020-journal.sql). */
@Injectable()
export class PgJournalRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Adds the entries of committed changes to the journal. */
  async seal(): Promise<void> {
    for (let sealed = sealedAtOnce; sealed === sealedAtOnce;) {
      const [row] = await this.context.write<{ sealed: number }>('SELECT seal_journal($1) AS sealed', [sealedAtOnce]);
      ({ sealed } = row!);
    }
  }

  /** Returns the number of the last entry that `seal` has added; 0 without one. */
  async lastSequence(accountId: string): Promise<number> {
    const rows = await this.context.read<{ sequence: string }>(
      'SELECT sequence FROM journal_heads WHERE account_id = $1',
      [accountId],
    );
    return Number(rows[0]?.sequence ?? 0);
  }

  /** Returns the entries before a number, newest first. Entries of changes that have been committed are among them. */
  async list(accountId: string, filter: JournalFilter, before: number | null, limit: number): Promise<JournalEntry[]> {
    await this.seal();
    return this.#read('', accountId, filter, before, limit);
  }

  /** Returns entries like `list`, with the rows of batches. Only entries that `seal` has added are among them. */
  async listWithRows(accountId: string, filter: JournalFilter, before: number | null, limit: number) {
    const columns = `, coalesce(entry.rows, to_jsonb(ARRAY(SELECT jsonb_build_object('id', id) FROM unnest(entry.resource_ids) AS id))) AS rows`;
    return this.#read<JournalEntry & { rows: JournalRow[] }>(columns, accountId, filter, before, limit);
  }

  async find(
    projectId: string,
    accountId: string,
    sequence: number,
  ): Promise<(JournalEntry & { rows: JournalRow[] }) | null> {
    await this.seal();
    const [entry] = await this.listWithRows(accountId, { projectId }, sequence + 1, 1);
    return entry?.sequence === sequence ? entry : null;
  }

  /** Writes an entry of an event that changes no resource. */
  async addEvent(
    accountId: string,
    projectId: string | null,
    type: string,
    details: object,
    resourceId: string | null = null,
  ): Promise<void> {
    const values = [accountId, projectId, type, resourceId, details];
    await this.context.run(() => this.context.write('SELECT journal_event($1, $2, $3, $4, $5)', values));
  }

  /** Writes an entry, unless the subject has one of this type and content in the last hours. */
  async addEventOnce(accountId: string, event: BoundedEvent): Promise<void> {
    const { projectId, type, resourceId, details, subject, what, hours } = event;
    const values = [accountId, projectId, type, resourceId, details, subject, what, hours];
    await this.context.run(() =>
      this.context.write('SELECT journal_event_once($1, $2, $3, $4, $5, $6, $7, $8)', values),
    );
  }

  /**
   * Checks the chain of an account. Entries of dropped months cannot be checked.
   * @returns the last entry as `number:digest`, and the first entry that is missing or was changed
   */
  async verify(accountId: string): Promise<{ checked: number; head: string | null; brokenAt: number | null }> {
    await this.seal();
    const [ends] = await this.context.read<{
      oldest: string | null;
      head: string;
      digest: string;
      stored: string | null;
    }>(
      `SELECT (SELECT min(sequence) FROM journal WHERE account_id = $1) AS oldest, sequence AS head, encode(digest, 'hex') AS digest,
         (SELECT encode(entry.digest, 'hex') FROM journal AS entry WHERE account_id = $1 AND entry.sequence = heads.sequence) AS stored
       FROM journal_heads AS heads WHERE account_id = $1`,
      [accountId],
    );
    if (!ends) return { checked: 0, head: null, brokenAt: null };
    const head = Number(ends.head);
    const oldest = Number(ends.oldest ?? head);
    const start = oldest === 1 ? 0 : oldest;
    const answer = { checked: head - start, head: `${ends.head}:${ends.digest}` };
    for (let first = start; first < head; first += checkedAtOnce) {
      const range = [accountId, first, Math.min(head, first + checkedAtOnce)];
      const [row] = await this.context.read<{ broken: string | null }>(
        'SELECT broken_entry($1, $2, $3) AS broken',
        range,
      );
      if (row!.broken !== null) return { ...answer, brokenAt: Number(row!.broken) };
    }
    const isComplete = ends.oldest === null || ends.stored === ends.digest;
    return { ...answer, brokenAt: isComplete ? null : head };
  }

  /** Drops all months but the current one and so many before it, and returns the names of their partitions. */
  async dropMonths(months: number): Promise<string[]> {
    const [row] = await this.context.write<{ dropped: string[] }>('SELECT drop_journal_partitions($1) AS dropped', [
      months,
    ]);
    return row!.dropped;
  }

  async #read<Entry extends JournalEntry>(
    columns: string,
    accountId: string,
    { projectId, resourceId, type, actorId, from, to, restorable }: JournalFilter,
    before: number | null,
    limit: number,
  ): Promise<Entry[]> {
    const values: unknown[] = [accountId, limit, resourceId ?? null];
    const conditions = ['entry.account_id = $1'];
    const restrict = (value: unknown, condition: (parameter: string) => string) => {
      if (value !== undefined && value !== null) conditions.push(condition(`$${values.push(value)}`));
    };
    restrict(before, (number) => `entry.sequence < ${number}`);
    restrict(projectId, (id) => `entry.project_id = ${id}`);
    restrict(type, (name) => `(entry.type = ${name} OR starts_with(entry.type, ${name} || '.'))`);
    restrict(
      actorId,
      (id) => `${id} IN (entry.actor->>'user_id', entry.actor->>'api_key_id', entry.actor->>'import_id')`,
    );
    restrict(from, (moment) => `entry.at >= to_timestamp(${moment} / 1000.0)`);
    restrict(to, (moment) => `entry.at < to_timestamp(${moment} / 1000.0)`);
    if (restorable) conditions.push(isRestorable);
    restrict(resourceId, (id) => `(entry.resource_id = ${id}::uuid OR entry.resource_ids @> ARRAY[${id}::uuid])`);
    const rows = await this.context.read<EntryRow>(
      `SELECT entry.sequence, entry.at, entry.type, entry.project_id AS "projectId", entry.resource_id AS "resourceId",
         coalesce(cardinality(entry.resource_ids), 1) AS "resourceCount", entry.actor, ${actorName} AS "actorName",
         ${personName('requested_by')} AS "requesterName", ${resourceName} AS "resourceName",
         ${valuesOf('before')} AS before, ${valuesOf('after')} AS after${columns}
       FROM journal AS entry WHERE ${conditions.join(' AND ')} ORDER BY entry.sequence DESC LIMIT $2`,
      values,
    );
    return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }) as unknown as Entry);
  }
}
