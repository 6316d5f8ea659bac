import type { Metrics } from '../observability/metrics';
import type { ClickHouse } from './clickhouse';
import type { ClickHouseSettings } from './clickhouse-settings';

/** Returns null without `CLICKHOUSE_URL`. The client is loaded only if it is used, because most installations do without. */
export async function openClickHouse(
  { url, cluster }: Pick<ClickHouseSettings, 'url' | 'cluster'>,
  metrics: Metrics | null,
): Promise<ClickHouse | null> {
  if (url === undefined) return null;
  const { HttpClickHouse } = await import('./http-clickhouse.js');
  const clickHouse = new HttpClickHouse(url, cluster ?? null);
  metrics?.watchClickHouse(clickHouse);
  return clickHouse;
}
