import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { asOnePart, isListed, parametersOf, sumsByName } from '../statistics/clickhouse-statistics-sql';
import { noFilter } from '../statistics/statistics-filter';
import { type ClicksByLink, type ClickWindow, type LinkClickRepository } from './link-click.repository';

export class ClickHouseLinkClickRepository implements LinkClickRepository {
  constructor(private readonly clickHouse: ClickHouse) {}

  async count(
    projectId: string,
    { from, to }: ClickWindow,
    ids: readonly string[] | null,
    limit: number,
  ): Promise<ClicksByLink> {
    if (ids?.length === 0) return new Map();
    const question = asOnePart({
      projectId,
      window: { from, to, starts: [from] },
      filter: noFilter,
      includeBots: false,
    });
    // Ids are UUIDs of the database, never input.
    const names = ids === null ? undefined : `(${ids.map((id) => `'${id}'`).join(', ')})`;
    const rows = await this.clickHouse.rows<{ name: string; name_clicks: number }>(
      `SELECT name, name_clicks FROM (
  ${sumsByName(question, 'link', names === undefined ? {} : { names })}
) WHERE ${isListed} ORDER BY name_clicks DESC, name LIMIT ${limit}`,
      parametersOf(question),
    );
    return new Map(rows.map(({ name, name_clicks: clicks }) => [name, Number(clicks)]));
  }
}
