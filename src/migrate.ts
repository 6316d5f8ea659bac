import { type Config, readConfig } from './app/settings/config';
import { migrateClickHouse } from './clicks/recording/clickhouse-migrations';
import { failureReason } from './platform/clickhouse/failure-reason';
import { openClickHouse } from './platform/clickhouse/open-clickhouse';
import { migrate } from './platform/schema/migrations';
import { openDatabase } from './platform/schema/open-database';
import { Log } from './platform/observability/log';

/** Ends the program, because process 1 of a container ignores signals otherwise. PostgreSQL notices it, and ends the statement. */
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    process.stderr.write(`The migration was stopped by ${signal}. Run it again.\n`);
    process.exit(1);
  });

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
async function migrateClicks({ clickHouse: settings, clicks }: Config): Promise<string[]> {
  const clickHouse = await openClickHouse(settings, null);
  if (!clickHouse) return [];
  try {
    const names = await migrateClickHouse(clickHouse, clicks.retentionMonths);
    return names.map((name) => `${name} (ClickHouse)`);
  } finally {
    await clickHouse.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${failureReason(error)}\n`);
  process.exitCode = 1;
});
