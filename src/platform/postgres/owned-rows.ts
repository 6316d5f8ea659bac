import type { EntitySchema, Repository } from 'typeorm';
import type { Page, PageRequest } from '../../shared/page';
import { type ListDefinition, ListSql, type PageColumns } from './list-sql';
import { type InsertionCheck, RowStatements } from './row-statements';
import { Rows } from './rows';
import { reportTooExpensive } from './too-expensive';
import type { TransactionContext } from './transaction-context';

/** A row without the times that the database sets. */
export type NewRow<T> = Omit<T, 'createdAt' | 'updatedAt'> & { id: string };

/**
 * Reads and writes the rows of one table that belong to an owner, such as a project's apps or an account's keys.
 * Rows are instances of the schema's class, if it has one.
 */
export class OwnedRows<T extends { id: string }, SortKey extends string> {
  readonly #rows: Rows<T>;
  readonly #statements: RowStatements<T>;

  /** @param extra expressions selected beside the schema's columns for a single row; by default those of the list */
  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema<T>,
    private readonly list: ListDefinition<SortKey>,
    private readonly extra = list.extra,
  ) {
    this.#rows = new Rows(context, schema);
    this.#statements = new RowStatements(context, schema);
  }

  get table(): Repository<T> {
    return this.context.manager.getRepository(this.schema);
  }

  /** Inserts the row, and sets the times that the database gives it. */
  async insert(row: NewRow<T>, check?: InsertionCheck): Promise<T> {
    await this.insertAll([row], check);
    return row as T;
  }

  /** Inserts rows like `insert`: all of them or none. They must set the same properties. */
  async insertAll(rows: NewRow<T>[], check?: InsertionCheck): Promise<void> {
    const { sql, values } = this.#statements.insertion(rows as Partial<T>[], check);
    const inserted = await this.context.write<Partial<T>>(sql, values);
    const byId = new Map(inserted.map((times) => [times.id, times]));
    for (const row of rows) Object.assign(row, byId.get(row.id));
  }

  async find(ownerId: string, id: string): Promise<T | null> {
    return this.#instance(await this.#rows.find(this.#one, [ownerId, id], this.extra));
  }

  /** Finds the row, and locks it until the unit of work ends. */
  async findForUpdate(ownerId: string, id: string): Promise<T | null> {
    return this.#instance(await this.#rows.findForUpdate(this.#one, [ownerId, id], this.extra));
  }

  /** Finds the rows for which an SQL condition on the table `t` holds, for all owners. */
  async findAll(condition: string, values: unknown[]): Promise<T[]> {
    return (await this.#rows.findAll(condition, values, this.extra)).map((row) => this.#instance(row));
  }

  /**
   * Reads a page of the list, whose total is a lower bound if a search or filter finds more rows than `listLimits.maxCounted`.
   * @param filters columns that must equal a value; undefined values filter nothing
   * @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit
   */
  async page(ownerId: string, request: PageRequest<SortKey>, filters: Record<string, unknown> = {}): Promise<Page<T>> {
    const query = new ListSql(this.#rows.table, this.list, ownerId, request, filters);
    const { sql, values } = query.page(this.#rows.fields(this.list.extra), request);
    const rows = await reportTooExpensive(this.context, () => this.context.read<T & PageColumns>(sql, values));
    const { ofAll, isCounted } = rows[0]!;
    const items = rows.slice(0, request.limit).filter(({ id }) => id !== null);
    return {
      items: items.map((row) => this.#instance(row)),
      total: Number(ofAll),
      ...(!isCounted && { hasMore: rows.length > request.limit }),
    };
  }

  /**
   * Changes the named fields only. A row that has their values already is not written, so that its update time stays.
   * Returns null if the owner has no such row.
   */
  async update(ownerId: string, id: string, changes: Partial<T>): Promise<T | null> {
    const update = this.#statements.update(changes, this.#one, [ownerId, id], this.#rows.fields(this.extra));
    const [row] = update ? await this.context.write<T>(update.sql, update.values) : [];
    return row ? this.#instance(row) : this.find(ownerId, id);
  }

  /** Changes rows like `update`, which set the same properties and have different ids. Rows that the owner does not have are absent. */
  async updateAll(ownerId: string, rows: { id: string; changes: Partial<T> }[]): Promise<Map<string, T>> {
    const update = this.#statements.updates(rows, this.#ofOwner, [ownerId], this.#rows.fields(this.extra));
    const written = update ? await this.context.write<T>(update.sql, update.values) : [];
    const found = new Map(written.map((row) => [row.id, this.#instance(row)]));
    const others = rows.map(({ id }) => id).filter((id) => !found.has(id));
    if (others.length > 0)
      for (const row of await this.findAll(`${this.#ofOwner} AND t.id = ANY ($2)`, [ownerId, others]))
        found.set(row.id, row);
    return found;
  }

  /** Returns false if the owner has no such row. */
  async delete(ownerId: string, id: string): Promise<boolean> {
    const rows = await this.context.write(`DELETE FROM ${this.#rows.table} AS t WHERE ${this.#one} RETURNING t.id`, [
      ownerId,
      id,
    ]);
    return rows.length === 1;
  }

  get #one(): string {
    return `${this.#ofOwner} AND t.id = $2`;
  }

  get #ofOwner(): string {
    const { owner, only } = this.list;
    return `t.${owner} = $1${only ? ` AND ${only}` : ''}`;
  }

  #instance<R extends T | null>(row: R): R {
    const { target } = this.schema.options;
    if (row === null || typeof target !== 'function') return row;
    // Faster than a copy: the driver made the row for this caller alone.
    return Object.setPrototypeOf(row, target.prototype as object) as R;
  }
}
