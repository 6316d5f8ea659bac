import 'reflect-metadata';
import type { Config } from './config';
import { openDatabase, type OpenDatabase } from '../platform/postgres/open-database';
import { introduceDemo } from './demo';
import { migrate } from '../platform/postgres/migrations';
import { Service } from './service';
import type { Log } from '../platform/observability/log';
import type { Tracing } from '../platform/observability/tracing.otel';

/** Set by the first SIGTERM or SIGINT, which may come at any moment, the middle of the start too. */
let stopping = false;

/** Serves until it is told to stop, and ends the process then. Returns when it listens, or was told to stop before it did. */
export async function serve(config: Config, log: Log, tracing: Tracing | undefined): Promise<void> {
  let service: Service | undefined = undefined;
  let database: OpenDatabase | undefined = undefined;

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.logger.info({ signal }, 'stopping');
    try {
      await service?.stop();
      await database?.close();
      await tracing?.stop();
      log.logger.info('stopped');
      process.exit(0);
    } catch (error) {
      log.error(`could not stop in good order: ${(error as Error).message}`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));

  try {
    database = await openDatabase(config, log);
    if (config.migrateOnStart) {
      for (const name of await migrate(database.directUrl)) log.logger.info({ migration: name }, 'migrated');
    }
    service = await Service.start(config, database, log, undefined, tracing);
    log.logger.info({ port: service.port }, 'listening');
    if (database.embedded && !config.production) await introduceDemo(service, config);
  } catch (error) {
    if (!stopping) throw error; // else it is what it was in the middle of
  }
}
