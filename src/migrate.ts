import { readConfig } from './app/config';
import { migrate } from './platform/postgres/migrations';
import { openDatabase } from './platform/postgres/open-database';
import { Log } from './platform/observability/log';

/** Runs the pending migrations (`npm run migrate`). */
async function main(): Promise<void> {
  const config = readConfig();
  const database = await openDatabase(config, new Log('silent'));
  try {
    const names = await migrate(database.directUrl);
    process.stdout.write(
      names.length > 0 ? names.map((name) => `migrated ${name}\n`).join('') : 'nothing to migrate\n',
    );
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
