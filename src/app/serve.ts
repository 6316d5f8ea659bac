import type { Log } from '../platform/observability/log';
import type { Tracing } from '../platform/observability/tracing.otel';
import { migrateIfNeeded } from '../platform/schema/migrations';
import { openDatabase, type OpenDatabase } from '../platform/schema/open-database';
import type { Config } from './settings/config';
import { ImportChild } from './import-child';
import { requireUsableAddresses } from './listen-addresses';
import { startProcess } from './start-process';

/** Time that a stop may take beyond the delay and the timeout of requests, to write clicks and close connections. */
const maxCloseMs = 12_000;

/** Set by the first SIGTERM or SIGINT, which may arrive during the start. */
let stopping = false;

/**
 * Serves until SIGTERM or SIGINT, and then ends the process. It handles signals itself, because they also apply to the database
 * before Nest and to tracing after Nest. Returns when the service listens, or when a signal has interrupted the start.
 */
export async function serve(config: Config, log: Log, tracing: Tracing | undefined): Promise<void> {
  // Node switches a pipe to non-blocking writes here. Otherwise a write to a full pipe would keep the process from its end.
  for (const output of [process.stdout, process.stderr]) output.on('error', ignoreBrokenPipe);
  let service: { stop(): Promise<void> } | undefined = undefined;
  let database: OpenDatabase | undefined = undefined;

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.logger.info({ signal }, 'stopping');
    const errorsBefore = log.errors;
    const maxStopMs = config.shutdownDelayMs + config.shutdownTimeoutMs + maxCloseMs;
    setTimeout(() => {
      log.error(`could not stop in ${maxStopMs / 1000} s; connections and work that remain are given up`);
      process.exit(1);
    }, maxStopMs).unref();
    try {
      await service?.stop();
      await database?.close();
      await tracing?.stop();
      log.logger.info('stopped');
      // Nest logs an error of a shutdown hook and goes on.
      process.exit(log.errors > errorsBefore ? 1 : 0);
    } catch (error) {
      log.error(`could not stop in good order: ${(error as Error).message}`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));

  try {
    await requireUsableAddresses(config);
    database = await openDatabase(config, log);
    if (config.migrateOnStart) {
      const migrations = await migrateIfNeeded(database.directUrl);
      if (migrations.length > 0)
        log.logger.info({ migrations: migrations.length, last: migrations.at(-1) }, 'migrated');
    }
    const startsImports = config.importProcess === 'child' && (config.role === 'all' || config.role === 'api');
    const importProcesses = startsImports ? new ImportChild(database, log) : undefined;
    const started = await startProcess({
      config,
      database,
      log,
      tracing,
      importProcesses,
      isChild: process.send !== undefined,
    });
    service = started;
    log.logger.info({ port: started.port }, 'listening');
    if (database.embedded && !config.production && 'app' in started) {
      const { introduceDemo } = await import('./demo.js');
      await introduceDemo(started, config);
    }
  } catch (error) {
    // A signal has taken the database away.
    if (!stopping) throw error;
  }
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
