import type { DeepPartial, EntitySchema, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import type { Page, PageRequest } from '../../shared/page';
import type { ListOf } from './list-sql';
import { PagedRows } from './paged-rows';
import { Rows } from './rows';
import type { TransactionContext } from './transaction-context';

/**
 * Reads and writes the rows of one table that belong to an owner, such as a project's apps or an account's keys.
 * Rows are instances of the schema's class, if it has one.
 */
export class OwnedRows<T extends { id: string }, SortKey extends string> {
  readonly #rows: Rows<T>;
  readonly #pages: PagedRows<T, SortKey>;

  /** @param extra expressions selected beside the schema's columns for a single row; by default those of the list */
  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema<T>,
    private readonly list: ListOf<SortKey>,
    private readonly extra = list.extra,
  ) {
    this.#rows = new Rows(context, schema);
    this.#pages = new PagedRows(context, this.#rows, list);
  }

  get table(): Repository<T> {
    return this.context.manager.getRepository(this.schema);
  }

  /** Inserts the row, and sets the times that the database gives it. */
  async insert(row: Omit<T, 'createdAt' | 'updatedAt'>): Promise<T> {
    const entity = row as DeepPartial<T>;
    await this.table.insert(entity as Parameters<Repository<T>['insert']>[0]);
    return entity as T;
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

  /** @param filters columns that must equal a value; undefined values filter nothing */
  async page(ownerId: string, request: PageRequest<SortKey>, filters?: Record<string, unknown>): Promise<Page<T>> {
    const { items, total } = await this.#pages.page(ownerId, request, filters);
    return { items: items.map((row) => this.#instance(row)), total };
  }

  /**
   * Changes the named fields only. A row that has their values already is not written, so that its update time stays.
   * Returns null if the owner has no such row.
   */
  async update(ownerId: string, id: string, changes: Partial<T>): Promise<T | null> {
    const [differs, values] = this.#differsFrom(changes);
    if (differs !== null)
      await this.table
        .createQueryBuilder()
        .update()
        .set(changes as Parameters<Repository<T>['update']>[1])
        .where(this.#criteria(ownerId, id))
        .andWhere(differs, values)
        .execute();
    return this.find(ownerId, id);
  }

  /** Returns false if the owner has no such row. */
  async delete(ownerId: string, id: string): Promise<boolean> {
    const { affected } = await this.table.delete(this.#criteria(ownerId, id));
    return affected === 1;
  }

  get #one(): string {
    const { owner, only } = this.list;
    return `t.${owner} = $1 AND t.id = $2${only ? ` AND ${only}` : ''}`;
  }

  /** Returns a condition for rows that the changes would alter, with its parameters; null if nothing is named. */
  #differsFrom(changes: Partial<T>): [condition: string | null, values: ObjectLiteral] {
    const { metadata, manager } = this.table;
    const differences: string[] = [];
    const values: ObjectLiteral = {};
    for (const [property, value] of Object.entries(changes)) {
      // A function is an SQL expression, such as that of a time that stays.
      if (value === undefined || typeof value === 'function') continue;
      const column = metadata.findColumnWithPropertyName(property)!;
      const parameter = `new_${column.databaseName}`;
      differences.push(`"${column.databaseName}" IS DISTINCT FROM :${parameter}`);
      values[parameter] = manager.connection.driver.preparePersistentValue(value, column) as unknown;
    }
    return [differences.length > 0 ? `(${differences.join(' OR ')})` : null, values];
  }

  #criteria(ownerId: string, id: string): FindOptionsWhere<T> {
    const owner = this.table.metadata.findColumnWithDatabaseName(this.list.owner)!;
    return { [owner.propertyName]: ownerId, id } as FindOptionsWhere<T>;
  }

  #instance<R extends T | null>(row: R): R {
    const { target } = this.schema.options;
    if (row === null || typeof target !== 'function') return row;
    // Faster than a copy: the driver made the row for this caller alone.
    return Object.setPrototypeOf(row, target.prototype as object) as R;
  }
}
