import { reportTooExpensive } from '../../platform/tables/too-expensive';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { SelectedClicks } from '../statistics/pg-clicks-sql';
import { inDimension, type RequestedSums, type Source, sourcesOf } from '../statistics/pg-sums-sql';
import { noFilter } from '../statistics/statistics-filter';
import { type ClicksByLink, type ClickWindow, type LinkClickRepository } from './link-click.repository';

const clicks: RequestedSums = { clicks: ['clicks'] };

export class PgLinkClickRepository implements LinkClickRepository {
  constructor(private readonly context: TransactionContext) {}

  async count(
    projectId: string,
    { from, to }: ClickWindow,
    ids: readonly string[] | null,
    limit: number,
  ): Promise<ClicksByLink> {
    const values: unknown[] = [projectId, from / 1000, to / 1000];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const sources = sourcesOf({ to, starts: [from] }, parameter);
    const selected = new SelectedClicks(
      { ...noFilter, links: ids },
      'link',
      parameter([from / 1000]),
      clicks,
      parameter,
    );
    const rowsOf = (source: Source) => source.rows(`${inDimension('link')} AND ${selected.conditionOfSum('link')}`);
    const sql = `WITH ${[`fresh AS MATERIALIZED (${selected.fresh})`, ...sources.map((source) => source.cte)].join(',\n')}
       SELECT value AS id, sum(clicks) AS clicks FROM (
         ${[
           ...sources.map((source) => `SELECT counted.value, ${source.sums(clicks)} FROM ${rowsOf(source)}`),
           'SELECT value, clicks FROM fresh',
         ].join('\n         UNION ALL ')}
       ) AS piece GROUP BY value HAVING sum(clicks) > 0 ORDER BY clicks DESC, id LIMIT ${parameter(limit)}`;
    const rows = await reportTooExpensive(this.context, () =>
      this.context.read<{ id: string; clicks: string }>(sql, values),
    );
    return new Map(rows.map(({ id, clicks }) => [id, Number(clicks)]));
  }
}
