import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from '../../shared/unit-of-work';
import { AdaptivePool } from './adaptive-pool';

/** Shared by all instances, because on Node 20 each store makes every promise slower. */
const transactionStorage = new AsyncLocalStorage<{ of: TransactionContext; manager: EntityManager }>();

/** Gives repositories the transaction of the current unit of work, or the pool outside a unit of work. */
@Injectable()
export class TransactionContext extends UnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: AdaptivePool,
  ) {
    super();
  }

  get #transaction(): EntityManager | undefined {
    const store = transactionStorage.getStore();
    return store?.of === this ? store.manager : undefined;
  }

  /** Whether a transaction is open here. */
  get isOpen(): boolean {
    return this.#transaction !== undefined;
  }

  get manager(): EntityManager {
    return this.#transaction ?? this.dataSource.manager;
  }

  /**
   * Returns the rows of a SELECT. Outside a transaction it asks the pool directly, because TypeORM's query runner adds work to
   * each query (docs/decisions/0024-typeorm-and-sql.md).
   */
  async read<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const transaction = this.#transaction;
    if (transaction) return transaction.query<Row[]>(sql, values);
    this.dataSource.logger.logQuery(sql, values);
    const { rows } = await this.pool.query(sql, values);
    return rows as Row[];
  }

  /** Returns the rows of a writing statement with RETURNING. Outside a transaction it is one by itself. */
  async write<Row>(sql: string, values: unknown[]): Promise<Row[]> {
    const runner = this.#transaction?.queryRunner;
    // TypeORM's own form of the result differs between INSERT and UPDATE.
    return runner ? ((await runner.query(sql, values, true)).records as Row[]) : this.read<Row>(sql, values);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#transaction) return work();
    return this.dataSource.transaction((manager) => transactionStorage.run({ of: this, manager }, work));
  }

  attempt<T>(write: () => Promise<T>): Promise<T> {
    const transaction = this.#transaction;
    // TypeORM's transaction inside a transaction is a savepoint.
    return transaction ? transaction.transaction(write) : write();
  }
}
