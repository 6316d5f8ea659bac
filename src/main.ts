import 'reflect-metadata';
import { readConfig } from './config';
import { openDatabase, type OpenDatabase } from './database/open-database';
import { introduceDemo } from './demo';
import { migrate } from './database/migrations';
import { Service } from './service';
import { BadSetting } from './shared/bad-setting';
import { Log } from './shared/log';

/** Set by the first SIGTERM or SIGINT, which may come at any moment, the middle of the start too. */
let stopping = false;

async function main(): Promise<void> {
  const config = readConfig();
  const log = new Log(config.logLevel);
  let service: Service | undefined = undefined;
  let database: OpenDatabase | undefined = undefined;

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.logger.info({ signal }, 'stopping');
    try {
      await service?.stop();
      await database?.close();
      log.logger.info('stopped');
      process.exit(0);
    } catch (error) {
      log.error(`could not stop in good order: ${(error as Error).message}`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));

  database = await openDatabase(config, log);
  if (config.migrateOnStart) {
    for (const name of await migrate(database.directUrl)) log.logger.info({ migration: name }, 'migrated');
  }
  service = await Service.start(config, database, log);
  log.logger.info({ port: service.port }, 'listening');
  if (database.embedded && !config.production) await introduceDemo(service, config);
}

main().catch((error: unknown) => {
  if (stopping) return; // what it was in the middle of when it was told to stop
  // One line, without a stack: what is wrong is outside the program.
  process.stderr.write(
    `${error instanceof BadSetting ? '' : 'cannot start: '}${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
