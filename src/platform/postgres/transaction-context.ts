import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../../shared/actor';
import type { DatabaseClock } from '../../shared/database-clock';
import { UnitOfWork } from '../../shared/unit-of-work';
import { AdaptivePool } from './adaptive-pool';
import { inTransaction } from './in-transaction';
import { isAnswering } from './probe';
import { actorParameter } from './current-actor';
import { timeLeft, transactionOfContext, withActor, withTransaction } from './request-context';
import { timeLimits } from './time-limits';

/** Time for the answer of a server that has cancelled a statement. */
const answerMs = 100;
const serverGivesUpMs = (): number => timeLimits.statement + answerMs;

/** Gives repositories the transaction of the current unit of work, or the pool outside a unit of work. */
@Injectable()
export class TransactionContext extends UnitOfWork implements DatabaseClock {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: AdaptivePool,
  ) {
    super();
  }

  get #transaction(): EntityManager | undefined {
    return this.#store?.manager;
  }

  get #store() {
    const store = transactionOfContext();
    return store?.of === this ? store : undefined;
  }

  get isOpen(): boolean {
    return this.#transaction !== undefined;
  }

  /**
   * Whether a statement here is a transaction by itself. A request with little time left gets a separate one, because a statement
   * that waits for a lock would commit after the refusal.
   */
  get commitsEachStatement(): boolean {
    return !this.isOpen && timeLeft() > serverGivesUpMs();
  }

  get manager(): EntityManager {
    return this.#transaction ?? this.dataSource.manager;
  }

  /**
   * Returns the rows of a SELECT. Outside a transaction it asks the pool directly, because TypeORM's query runner adds work to
   * each query (docs/decisions/0022-typeorm-and-sql.md).
   */
  async read<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const transaction = this.#transaction;
    if (transaction) return transaction.query<Row[]>(sql, values);
    this.dataSource.logger.logQuery(sql, values);
    const { rows } = await this.pool.query(sql, values);
    return rows as Row[];
  }

  /** Runs a writing statement, and returns the rows of its RETURNING clause. */
  async write<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const runner = this.#transaction?.queryRunner;
    // TypeORM's own form of the result differs between INSERT and UPDATE.
    if (runner) return (await runner.query(sql, values, true)).records as Row[];
    this.dataSource.logger.logQuery(sql, values);
    // Not `pool.query`, which closes the connection after each violated constraint.
    const client = await this.pool.connect();
    try {
      const query = () => client.query<Row>(sql, values);
      const { rows } = this.commitsEachStatement ? await query() : await inTransaction(client, query);
      return rows;
    } finally {
      client.release();
    }
  }

  /** Returns the time of the database, in milliseconds since 1970 (UTC). */
  async now(): Promise<number> {
    const [row] = await this.read<{ now: Date }>('SELECT now() AS now');
    return row!.now.getTime();
  }

  /** Returns whether the database answers a probe in time, outside of the transaction. */
  isAnswering(timeoutMs: number): Promise<boolean> {
    return isAnswering(this.pool, timeoutMs);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#transaction) return work();
    const waiting: (() => void)[] = [];
    const result = await this.dataSource.transaction(async (manager) => {
      // The triggers of the journal read it.
      await manager.query('SELECT set_actor($1)', [actorParameter()]);
      return withTransaction({ of: this, manager, waiting }, work);
    });
    for (const waits of waiting) waits();
    return result;
  }

  runAs<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
    return withActor(actor, () => this.run(work));
  }

  afterCommit(work: () => void): void {
    const store = this.#store;
    if (store) store.waiting.push(work);
    else work();
  }

  attempt<T>(write: () => Promise<T>): Promise<T> {
    const transaction = this.#transaction;
    // TypeORM's transaction inside a transaction is a savepoint.
    return transaction ? transaction.transaction(write) : write();
  }
}
