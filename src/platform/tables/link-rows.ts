import type { EntitySchema } from 'typeorm';
import type { Page, PageRequest } from '../../shared/page';
import { type ListDefinition, ListSql, type PageColumns } from './list-sql';
import { type InsertionCheck, RowStatements } from './row-statements';
import { reportTooExpensive } from './too-expensive';
import { actorParameter } from '../postgres/current-actor';
import type { TransactionContext } from '../postgres/transaction-context';

/** A row without the times that the database sets. */
export type NewRow<T> = Omit<T, 'createdAt' | 'updatedAt'> & { id: string };

/** Reads and writes links or short links of projects. Rows are instances of the schema's class. */
export class LinkRows<T extends { id: string }, SortKey extends string> {
  readonly #statements: RowStatements<T>;
  #selected: string | undefined;

  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema<T>,
    private readonly list: ListDefinition<SortKey>,
  ) {
    this.#statements = new RowStatements(context, schema);
  }

  /** Inserts the row, and sets the times that the database gives it. */
  async insert(row: NewRow<T>, check?: InsertionCheck): Promise<T> {
    await this.insertAll([row], check);
    return row as T;
  }

  /**
   * Inserts rows like `insert`: all of them or none. They must set the same properties.
   * @param actor who inserts them, as `set_actor` expects it
   */
  async insertAll(rows: NewRow<T>[], check?: InsertionCheck, actor = actorParameter()): Promise<void> {
    const { sql, values } = this.#statements.insertion(rows as Partial<T>[], actor, check);
    const inserted = await this.context.write<Partial<T>>(sql, values);
    const byId = new Map(inserted.map((times) => [times.id, times]));
    for (const row of rows) Object.assign(row, byId.get(row.id));
  }

  async find(projectId: string, id: string): Promise<T | null> {
    const [row] = await this.findAll(this.#one, [projectId, id]);
    return row ?? null;
  }

  /** Finds the row, and locks it until the unit of work ends. */
  async findForUpdate(projectId: string, id: string): Promise<T | null> {
    // A separate statement, so that the read sees the state after the wait for the lock.
    await this.context.read(`SELECT FROM ${this.#table} t WHERE ${this.#one} FOR NO KEY UPDATE`, [projectId, id]);
    return this.find(projectId, id);
  }

  /** Finds the rows for which an SQL condition on the table `t` holds, in all projects. */
  async findAll(condition: string, values: unknown[]): Promise<T[]> {
    const rows = await this.context.read<T>(`SELECT ${this.#fields} FROM ${this.#table} t WHERE ${condition}`, values);
    return rows.map((row) => this.#instance(row));
  }

  /**
   * Reads a page of the list, whose total is a lower bound if a search or filter finds more rows than `listLimits.maxCounted`.
   * @param filters columns that must equal a value; undefined values filter nothing
   * @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit
   */
  async page(
    projectId: string,
    request: PageRequest<SortKey>,
    filters: Record<string, unknown> = {},
  ): Promise<Page<T>> {
    const query = new ListSql(this.#table, this.list, projectId, request, filters);
    const { sql, values } = query.page(this.#fields, request);
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
   * Returns null if the project has no such row.
   */
  async update(projectId: string, id: string, changes: Partial<T>): Promise<T | null> {
    const update = this.#statements.update(changes, this.#one, [projectId, id], this.#fields);
    const [row] = update ? await this.context.write<T>(update.sql, update.values) : [];
    return row ? this.#instance(row) : this.find(projectId, id);
  }

  /** Changes rows like `update`, which set the same properties and have different ids. Rows that the project does not have are absent. */
  async updateAll(projectId: string, rows: { id: string; changes: Partial<T> }[]): Promise<Map<string, T>> {
    const update = this.#statements.updates(rows, this.#ofProject, [projectId], this.#fields);
    const written = update ? await this.context.write<T>(update.sql, update.values) : [];
    const rowsById = new Map(written.map((row) => [row.id, this.#instance(row)]));
    const others = rows.map(({ id }) => id).filter((id) => !rowsById.has(id));
    if (others.length > 0)
      for (const row of await this.findAll(`${this.#ofProject} AND t.id = ANY ($2)`, [projectId, others]))
        rowsById.set(row.id, row);
    return rowsById;
  }

  /** Returns false if the project has no such row. */
  async delete(projectId: string, id: string): Promise<boolean> {
    const rows = await this.context.write(
      `DELETE FROM ${this.#table} AS t USING set_actor($3) WHERE ${this.#one} RETURNING t.id`,
      [projectId, id, actorParameter()],
    );
    return rows.length === 1;
  }

  get #one(): string {
    return `${this.#ofProject} AND t.id = $2`;
  }

  get #ofProject(): string {
    const { only } = this.list;
    return `t.project_id = $1${only ? ` AND ${only}` : ''}`;
  }

  /** The select list for the table as `t`: its columns, named as the properties of the schema, and further expressions. */
  get #fields(): string {
    const { extra } = this.list;
    return (this.#selected ??= `${this.#statements.columns}${extra ? `, ${extra}` : ''}`);
  }

  get #table(): string {
    return this.schema.options.tableName!;
  }

  #instance(row: T): T {
    // Faster than a copy: the driver made the row for this caller alone.
    return Object.setPrototypeOf(row, this.schema.options.target!.prototype as object) as T;
  }
}
