import type { Click } from '../../../src/clicks/recording/click';
import { ClickHouseClickRepository } from '../../../src/clicks/recording/clickhouse-click.repository';
import { PgClickHousePurges } from '../../../src/clicks/recording/pg-clickhouse-purges';
import { newId } from '../../../src/shared/id';
import { HttpClickHouse } from '../../../src/platform/clickhouse/http-clickhouse';
import { batchOf } from './counting';
import type { TestDatabase } from '../../support/database';
import { aPool } from '../../support/pool';

/** That of `aService`. Specs have clicks of fixed days, which ClickHouse would remove after a shorter one. */
export const longRetentionMonths = 120;

/** Opens the repository of ClickHouse with separate connections. */
export function clickHouseClicksOn(
  url: string,
  database: Pick<TestDatabase, 'url'>,
  { retentionMonths = longRetentionMonths, migrate = true } = {},
) {
  const pool = aPool({ connectionString: database.url, max: 2 });
  const clickHouse = new HttpClickHouse(new URL(url));
  const repository = new ClickHouseClickRepository(
    clickHouse,
    new PgClickHousePurges(pool),
    { retentionMonths, migrate, writesBoth: false },
    pool,
  );
  return {
    clickHouse,
    repository,
    write: (clicks: Click[]) => repository.record(newId(), 1, batchOf(clicks)),
    close: async () => {
      await clickHouse.close();
      await pool.end();
    },
  };
}

/** Selects the number of clicks in each table, which are equal. */
export const clicksInEachTable = `SELECT
  (SELECT count() FROM clicks) AS stored,
  (SELECT sum(clicks + bots) FROM link_clicks_by_quarter) AS of_links,
  (SELECT sum(clicks + bots) FROM project_clicks_by_quarter WHERE dimension = 'platform') AS of_projects,
  (SELECT sum(clicks + bots) FROM project_clicks_by_quarter) / 8 AS of_groupings
SETTINGS output_format_json_quote_64bit_integers = 0`;
