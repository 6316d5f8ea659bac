import { reportTooExpensive } from '../../platform/tables/too-expensive';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { fresh, ofFresh } from '../statistics/pg-fresh-sql';
import { inDimension, type RequestedSums, Source, tables } from '../statistics/pg-sums-sql';
import { piecesOf } from '../statistics/statistics-window';
import { type ClicksByLink, type ClickWindow, LinkClickRepository } from './link-click.repository';

const clicks: RequestedSums = { clicks: ['clicks'] };

/** Reads the sums of the project by link, as its statistics do. */
export class PgLinkClickRepository extends LinkClickRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async count(
    projectId: string,
    { from, to }: ClickWindow,
    ids: readonly string[] | null,
    limit: number,
  ): Promise<ClicksByLink> {
    const values: unknown[] = [projectId, projectId, from / 1000, to / 1000];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const pieces = piecesOf({ to, starts: [from] });
    const sources = tables
      .filter(({ of }) => pieces[of].length > 0)
      .map((table) => new Source(table.of, table, pieces[table.of], parameter));
    const freshClicks = fresh(false, 'link', parameter([from / 1000]));
    const only = (column: string) => (ids === null ? 'true' : `${column} = ANY (${parameter(ids)}::text[])`);
    const sql = `WITH ${[freshClicks, ...sources.map((source) => source.cte)].join(',\n')}
       SELECT value AS id, sum(clicks) AS clicks FROM (
         ${[
           ...sources.map(
             (source) =>
               `SELECT counted.value, ${source.sums(clicks)} FROM ${source.rows(`${inDimension('link')} AND ${only('kept.value')}`)}`,
           ),
           `SELECT value, ${ofFresh(clicks)} FROM fresh WHERE ${only('value')}`,
         ].join('\n         UNION ALL ')}
       ) AS piece GROUP BY value HAVING sum(clicks) > 0 ORDER BY clicks DESC, id LIMIT ${parameter(limit)}`;
    const rows = await reportTooExpensive(this.context, () =>
      this.context.read<{ id: string; clicks: string }>(sql, values),
    );
    return new Map(rows.map(({ id, clicks }) => [id, Number(clicks)]));
  }
}
