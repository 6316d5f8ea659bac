import { type Config, readConfig } from './app/config';
import { migrateClickHouse } from './clicks/recording/clickhouse-migrations';
import { failureReason } from './platform/clickhouse/failure-reason';
import { openClickHouse } from './platform/clickhouse/open-clickhouse';
import { migrate } from './platform/schema/migrations';
import { openDatabase } from './platform/schema/open-database';
import { Log } from './platform/observability/log';

/** How long the program tries to end its statement after a signal. Kubernetes waits 30 seconds. */
const stopTimeoutMs = 10_000;

/** Returns a signal for SIGTERM and SIGINT, which process 1 of a container ignores otherwise. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      stop.abort(new Error(`The migration was stopped by ${signal}. Run it again.`));
      // It may still wait for the database, or migrate ClickHouse.
      setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    });
  return stop.signal;
}

/** Runs the pending migrations (`npm run migrate`). */
async function main(): Promise<void> {
  const stop = stopSignal();
  const config = readConfig();
  const database = await openDatabase(config, new Log('silent'));
  try {
    const names = [...(await migrate(database.directUrl, undefined, stop)), ...(await migrateClicks(config))];
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
