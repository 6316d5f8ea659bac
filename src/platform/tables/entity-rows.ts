import type {
  EntitySchema,
  FindOptionsOrder,
  FindOptionsWhere,
  ObjectLiteral,
  QueryDeepPartialEntity,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import { offsetOf, type Page, type PageRequest } from '../../shared/page';
import { type ErrorsByConstraint, mapConstraintErrors } from '../postgres/database-error';
import type { TransactionContext } from '../postgres/transaction-context';
import { reportTooExpensive } from './too-expensive';

/** Reads and writes the rows of an entity by TypeORM. Constraints that a write violates become errors of the domain. */
export class EntityRows<T extends ObjectLiteral> {
  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema<T>,
  ) {}

  get repository(): Repository<T> {
    return this.context.manager.getRepository(this.schema);
  }

  /** Inserts the row, which gets the values that the database sets. */
  async insert(row: Partial<T>, errors: ErrorsByConstraint = {}): Promise<T> {
    const write = () => this.context.run(() => this.repository.insert(row as QueryDeepPartialEntity<T>));
    await mapConstraintErrors(errors, write);
    return row as T;
  }

  find(where: FindOptionsWhere<T>): Promise<T | null> {
    return this.repository.findOneBy(where);
  }

  /**
   * Finds a row, and locks it until the transaction ends. The lock is a separate statement, so that the read sees the state after
   * the wait for it, subqueries included.
   */
  async findForUpdate(where: FindOptionsWhere<T>): Promise<T | null> {
    const locked = await this.repository
      .createQueryBuilder('t')
      .select('t.id')
      .where(where)
      .setLock('for_no_key_update')
      .getRawOne<{ t_id: string }>();
    return locked ? this.find(where) : null;
  }

  /** Reads a page of the rows that match, the newest first. */
  async newest(where: FindOptionsWhere<T>, request: { page: number; limit: number }): Promise<Page<T>> {
    const order = { createdAt: 'DESC', id: 'DESC' } as unknown as FindOptionsOrder<T>;
    const read = { where, order, skip: offsetOf(request), take: request.limit };
    const [items, total] = await this.repository.findAndCount(read);
    return { items, total };
  }

  /** Returns a query of the rows that match, whose entity is `t`. */
  query(where: FindOptionsWhere<T>): SelectQueryBuilder<T> {
    return this.repository.createQueryBuilder('t').where(where);
  }

  /**
   * Reads a page of a query, and counts all matches. Sort keys are names of columns. Texts are sorted by code point.
   *
   * @param searched constant SQL of texts of which one contains the search
   * @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit
   */
  async page(
    query: SelectQueryBuilder<T>,
    searched: readonly string[],
    request: PageRequest<string>,
  ): Promise<Page<T>> {
    const { limit, search } = request;
    if (search) {
      const matches = searched.map((text) => `fold_text(${text}) LIKE search_pattern(:search)`);
      query.andWhere(`(${matches.join(' OR ')})`, { search });
    }
    const { databaseName, type } = query.expressionMap.mainAlias!.metadata.findColumnWithDatabaseName(request.sortBy)!;
    const direction = request.sortOrder === 'asc' ? 'ASC' : 'DESC';
    query
      .orderBy(`t.${databaseName}${type === 'text' ? ' COLLATE "C"' : ''}`, direction)
      .addOrderBy('t.id', direction)
      .skip(offsetOf(request))
      .take(limit);
    const [items, total] = await reportTooExpensive(this.context, () => query.getManyAndCount());
    return { items, total };
  }

  /**
   * Changes the named fields of a row, and returns the row; null if none matches. A row that has their values already is not written,
   * so that its update time stays.
   *
   * @param changes a function returns an SQL expression, such as that of a time that stays
   */
  update(
    where: FindOptionsWhere<T>,
    changes: { readonly [Property in keyof T]?: unknown },
    errors: ErrorsByConstraint = {},
  ): Promise<T | null> {
    return mapConstraintErrors(errors, () => this.context.run(() => this.#update(where, changes)));
  }

  async #update(where: FindOptionsWhere<T>, changes: { readonly [Property in keyof T]?: unknown }): Promise<T | null> {
    const { columns, dataSource } = this.repository.metadata;
    const compared = columns.filter(
      ({ propertyName }) => !['undefined', 'function'].includes(typeof changes[propertyName]),
    );
    const differences = compared.map((column) => `${column.databaseName} IS DISTINCT FROM :${column.propertyName}`);
    const values = compared.map((column): [string, unknown] => [
      column.propertyName,
      dataSource.driver.preparePersistentValue(changes[column.propertyName], column),
    ]);
    if (compared.length > 0)
      await this.repository
        .createQueryBuilder()
        .update()
        .set(changes as QueryDeepPartialEntity<T>)
        .where(where)
        .andWhere(`(${differences.join(' OR ')})`, Object.fromEntries(values))
        .execute();
    return this.find(where);
  }

  /** Returns whether a row matched. */
  async delete(where: FindOptionsWhere<T>): Promise<boolean> {
    const { affected } = await this.context.run(() => this.repository.delete(where));
    return affected === 1;
  }
}
