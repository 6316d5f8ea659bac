import type { PageRequest } from '../../shared/page';
import { type ListDefinition, ListSql } from '../../platform/tables/list-sql';
import { reportTooExpensive } from '../../platform/tables/too-expensive';
import type { TransactionContext } from '../../platform/postgres/transaction-context';

interface Matches {
  /** All matches after the id. */
  total: number;
  /** The first of them, which are locked. */
  ids: string[];
}

/** Locks the rows that a list finds, so that a transaction changes exactly these. */
export class MatchingRows<SortKey extends string> {
  constructor(
    private readonly context: TransactionContext,
    private readonly table: string,
    private readonly list: ListDefinition<SortKey>,
  ) {}

  /**
   * Locks up to `limit` matches in the order of their ids. Matches that others create meanwhile are left out. Those that others
   * change or delete, so that they match no longer, are subtracted from the total.
   *
   * @param after the id that precedes the first match; null for all matches
   * @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit
   */
  async lock(
    projectId: string,
    request: Pick<PageRequest<SortKey>, 'search' | 'sortBy'>,
    filters: Record<string, unknown>,
    after: string | null,
    limit: number,
  ): Promise<Matches> {
    const query = new ListSql(this.table, this.list, projectId, request, filters);
    const { sql, values } = query.matches(after, limit);
    const [found] = await reportTooExpensive(this.context, () => this.context.read<Matches>(sql, values));
    const { total, ids } = found!;
    if (ids.length === 0) return { total, ids };
    const locking = query.lock(ids);
    const locked = await this.context.read<{ id: string }>(locking.sql, locking.values);
    return { total: total - ids.length + locked.length, ids: locked.map(({ id }) => id) };
  }
}
