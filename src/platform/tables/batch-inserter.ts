import { BatchQueue } from './batch-queue';
import { isAboutRows } from '../postgres/database-error';
import type { Actor } from '../../shared/actor';
import { currentActor } from '../postgres/current-actor';
import type { NewRow, LinkRows } from './link-rows';
import type { InsertionCheck } from './row-statements';
import type { TransactionContext } from '../postgres/transaction-context';

interface Insertion<T> {
  row: NewRow<T>;
  check: InsertionCheck | undefined;
  actor: Actor;
}

/** Signals that PostgreSQL refused rows of several requests, of which some may be valid. */
class RefusedTogether extends Error {}

/** Statements of an account at a time, so that one works while the commit of another waits for the disk. */
const maxRunning = 2;

/**
 * Inserts the rows that requests of one account create together by one statement, so that its plan, triggers and commit cost once.
 * No request notices the others: if the statement is refused, each row is inserted alone.
 */
export class BatchInserter<T extends { id: string }> {
  readonly #queue: BatchQueue<Insertion<T>, void>;

  constructor(
    private readonly context: TransactionContext,
    private readonly rows: Pick<LinkRows<T, never>, 'insert' | 'insertAll'>,
  ) {
    this.#queue = new BatchQueue((insertions) => this.#insertAll(insertions), { perTenant: true, maxRunning });
  }

  /** Inserts the row, and sets the times that the database gives it. */
  async insert(row: NewRow<T>, check?: InsertionCheck): Promise<T> {
    if (!this.context.commitsEachStatement) return this.rows.insert(row, check);
    try {
      const actor = currentActor();
      await this.#queue.add({ row, check, actor }, `${JSON.stringify(check)} ${identityOf(actor)}`);
      return row as T;
    } catch (error) {
      if (error instanceof RefusedTogether) return this.rows.insert(row, check);
      throw error;
    }
  }

  /** @param insertions all have the same check, and the same actor in different requests */
  async #insertAll(insertions: Insertion<T>[]): Promise<void> {
    try {
      const rows = insertions.map(({ row }) => row);
      const requests = Object.fromEntries(insertions.map(({ row, actor }) => [row.id, actor.request_id]));
      await this.rows.insertAll(rows, insertions[0]!.check, JSON.stringify({ ...insertions[0]!.actor, requests }));
    } catch (error) {
      if (insertions.length > 1 && isAboutRows(error)) throw new RefusedTogether('refused together', { cause: error });
      throw error;
    }
  }
}

/** Returns a text that differs for different actors, and is the same for all requests of one. */
const identityOf = ({ kind, user_id, api_key_id, import_id, address }: Actor): string =>
  `${kind} ${user_id} ${api_key_id} ${import_id} ${address}`;
