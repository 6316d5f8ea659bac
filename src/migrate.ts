import { type Config, readConfig } from './app/config';
import { migrateClickHouse } from './clicks/clickhouse-migrations';
import { openClickHouse } from './platform/clickhouse/open-clickhouse';
import { migrate } from './platform/postgres/migrations';
import { openDatabase } from './platform/postgres/open-database';
import { Log } from './platform/observability/log';

/** Runs the pending migrations (`npm run migrate`). */
async function main(): Promise<void> {
  const config = readConfig();
  const database = await openDatabase(config, new Log('silent'));
  try {
    const names = [...(await migrate(database.directUrl)), ...(await migrateClicks(config))];
    process.stdout.write(
      names.length > 0 ? names.map((name) => `migrated ${name}\n`).join('') : 'nothing to migrate\n',
    );
  } finally {
    await database.close();
  }
}

/** Runs the pending migrations of ClickHouse, if it stores clicks. */
async function migrateClicks({ clickHouseUrl, clickHouseCluster, clickRetentionMonths }: Config): Promise<string[]> {
  const clickHouse = await openClickHouse({ url: clickHouseUrl, cluster: clickHouseCluster }, null);
  if (!clickHouse) return [];
  try {
    const names = await migrateClickHouse(clickHouse, clickRetentionMonths);
    return names.map((name) => `${name} (ClickHouse)`);
  } finally {
    await clickHouse.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
