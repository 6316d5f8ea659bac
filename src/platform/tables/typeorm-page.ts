import type { FindOptionsOrder, FindOptionsWhere, ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import { offsetOf, type Page, type PageRequest } from '../../shared/page';
import { reportTooExpensive } from './too-expensive';
import type { TransactionContext } from '../postgres/transaction-context';

/**
 * Reads a page of a query whose entity is `t`, and counts all matches. Sort keys are names of columns. Texts are sorted by code point.
 *
 * @param searched constant SQL of texts of which one contains the search
 * @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit
 */
export async function readPage<T extends ObjectLiteral>(
  context: TransactionContext,
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
