import type { FindOptionsOrder, FindOptionsWhere, ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import { offsetOf, type Page, type PageRequest } from '../../shared/page';
import { reportTooExpensive } from './too-expensive';
import type { TransactionContext } from './transaction-context';

/** Orders and searched texts of a list, as constant SQL on the properties of the entity `t`. */
export interface ListedColumns<SortKey extends string> {
  sorted: Record<SortKey, string>;
  searched?: readonly string[];
}

/**
 * Reads a page of a query whose entity is `t`, and counts all matches.
 * @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit
 */
export async function readPage<T extends ObjectLiteral, SortKey extends string>(
  context: TransactionContext,
  query: SelectQueryBuilder<T>,
  { sorted, searched = [] }: ListedColumns<SortKey>,
  request: PageRequest<SortKey>,
): Promise<Page<T>> {
  const { limit, search, sortBy } = request;
  const direction = request.sortOrder === 'asc' ? 'ASC' : 'DESC';
  if (search) {
    const matches = searched.map((text) => `fold_text(${text}) LIKE search_pattern(:search)`);
    query.andWhere(`(${matches.join(' OR ')})`, { search });
  }
  query.orderBy(sorted[sortBy], direction).addOrderBy('t.id', direction).skip(offsetOf(request)).take(limit);
  const [items, total] = await reportTooExpensive(context, () => query.getManyAndCount());
  return { items, total };
}

/** Reads a page of the rows that match, the newest first. */
export async function readNewest<T extends ObjectLiteral & { createdAt: Date }>(
  rows: Repository<T>,
  where: FindOptionsWhere<T>,
  request: { page: number; limit: number },
): Promise<Page<T>> {
  const order = { createdAt: 'DESC', id: 'DESC' } as unknown as FindOptionsOrder<T>;
  const [items, total] = await rows.findAndCount({ where, order, skip: offsetOf(request), take: request.limit });
  return { items, total };
}
