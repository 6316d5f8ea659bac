import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthService } from '../management-api/health/health.service';
import { PgDatabaseState } from '../management-api/health/pg-database-state';
import { ImportCounts, watchImports } from '../imports/model/import-processes';
import { PgImportQueue } from '../imports/model/pg-import-queue';
import { ImportWorkModule } from '../imports/work/import-work.module';
import { ImportWorkerService } from '../imports/work/import-worker.service';
import { serverLimits } from '../platform/http/server-limits';
import { Metrics } from '../platform/observability/metrics';
import { MetricsServer } from '../platform/observability/metrics-server';
import { AdaptivePool } from '../platform/postgres/adaptive-pool';
import type { Environment } from './environment';
import { healthListener } from './health-listener';
import { SettingsModule } from './settings.module';

/** Connections to PostgreSQL: one for a dry run or a run, and one for each list. docs/operating/scale.md counts them. */
const maxConnections = 5;

/** The time without jobs after which a child process ends, because it takes memory. */
const idleMs = 60_000;

const reportIntervalMs = 1000;

/** The longest wait for the current work once the parent has gone. */
const endTimeoutMs = 10_000;

export type ImportProcess = Awaited<ReturnType<typeof startImports>>;

/**
 * Starts imports alone (`ROLE=import`), and returns when the process takes jobs. It shares nothing with other processes but the database.
 * A child of an API process listens nowhere, and reports its counts. It ends with its parent, or after a minute without jobs.
 */
export async function startImports(environment: Environment) {
  const { config, log, isChild } = environment;
  const settings = SettingsModule.with({
    ...environment,
    config: {
      ...config,
      databasePoolSize: Math.min(config.databasePoolSize, maxConnections),
      metricsPort: isChild ? undefined : config.metricsPort,
    },
  });
  const context = await NestFactory.createApplicationContext(
    { module: ImportWorkModule, imports: [settings] },
    { logger: log, abortOnError: false },
  );
  const wake = () => context.get(PgImportQueue, { strict: false }).wake();
  const parent = isChild ? reportToParent(context, wake) : null;
  const server = isChild ? null : await listen(context, environment);
  let isStopped = false;
  return {
    context,
    wake,
    /** Undefined in a child process. */
    port: server ? (server.address() as AddressInfo).port : undefined,
    /** Undefined if metrics are off. */
    metricsPort: context.get<MetricsServer | null>(MetricsServer, { strict: false })?.port,
    stop: async (): Promise<void> => {
      if (isStopped) return;
      isStopped = true;
      server?.close();
      server?.closeAllConnections();
      await context.close();
      parent?.stop();
    },
  };
}

async function listen(context: INestApplicationContext, { config, log }: Environment): Promise<Server> {
  const health = new HealthService(new PgDatabaseState(context.get(AdaptivePool, { strict: false })), log);
  const metrics = context.get<Metrics | null>(Metrics, { strict: false });
  watchImports(metrics, context.get(ImportCounts, { strict: false }));
  const server = createServer(serverLimits, healthListener(health, log, metrics)).listen(config.port, config.host);
  await once(server, 'listening');
  health.listening({ role: 'import', changeListener: undefined, redis: undefined, clickHouse: undefined });
  return server;
}

/** Reports counts to the parent, takes its messages, and ends the process without it or without jobs. */
function reportToParent(context: INestApplicationContext, wake: () => void): { stop(): void } {
  const counts = context.get(ImportCounts, { strict: false });
  const worker = context.get(ImportWorkerService, { strict: false });
  const report = () => {
    if (process.connected) process.send?.({ ...counts });
    Object.assign(counts, new ImportCounts());
  };
  const end = () => {
    process.kill(process.pid, 'SIGTERM');
    // The database may be unavailable. Interrupted work is repeated.
    setTimeout(() => process.exit(1), endTimeoutMs).unref();
  };
  process.once('disconnect', end);
  // The parent ended during the start.
  if (!process.connected) end();
  process.on('message', wake);
  const timer = setInterval(() => {
    report();
    if (!worker.isBusy && performance.now() - worker.lastUse > idleMs) end();
  }, reportIntervalMs);
  return {
    stop: () => {
      clearInterval(timer);
      report();
    },
  };
}
