import type { Metrics } from '../observability/metrics';
import type { ClickHouse } from './clickhouse';
import type { ClickHouseSettings } from './clickhouse-settings';

/** Returns null without `CLICKHOUSE_URL`. The client is loaded only if it is used, because most installations do without. */
export async function openClickHouse(
  { url }: Pick<ClickHouseSettings, 'url'>,
  metrics: Metrics | null,
): Promise<ClickHouse | null> {
  if (url === undefined) return null;
  const { HttpClickHouse } = await import('./http-clickhouse.js');
  const clickHouse = new HttpClickHouse(url);
  const { shares } = clickHouse;
  metrics?.watch({
    signpost_clickhouse_up: () => Number(clickHouse.up),
    signpost_clickhouse_share_waiting: () => shares.waiting,
    signpost_clickhouse_share_refused_total: () => shares.refused,
  });
  return clickHouse;
}
