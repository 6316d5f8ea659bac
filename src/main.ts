import 'reflect-metadata';
import { BadSetting, readConfig } from './config';
import { openDatabase } from './database/open-database';
import { introduceDemo } from './demo';
import { migrate } from './database/migrations';
import { Service } from './service';
import { Log } from './shared/log';

async function main(): Promise<void> {
  const config = readConfig();
  const log = new Log(config.logLevel);
  const database = await openDatabase(config, log);
  if (config.migrateOnStart) {
    for (const name of await migrate(database.url)) log.logger.info({ migration: name }, 'migrated');
  }
  const service = await Service.start(config, database.url, log);
  log.logger.info({ port: service.port }, 'listening');
  if (database.embedded && !config.production) await introduceDemo(service, config);

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.logger.info({ signal }, 'stopping');
    await service.stop();
    await database.close();
    log.logger.info('stopped');
    process.exitCode = 0;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
}

main().catch((error: unknown) => {
  // One line, without a stack: what is wrong is outside the program.
  process.stderr.write(
    `${error instanceof BadSetting ? '' : 'cannot start: '}${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
