import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplicationContext, Module } from '@nestjs/common';
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

@Module({ imports: [ImportWorkModule] })
class ImportProcessModule {}

/**
 * Runs imports alone (`ROLE=import`). It shares nothing with other processes but the database. A child of an API process listens
 * nowhere, and reports its counts. It ends with its parent, or after a minute without jobs.
 */
export class ImportProcess {
  #server: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #counts: ImportCounts;

  private constructor(readonly context: INestApplicationContext) {
    this.#counts = context.get(ImportCounts, { strict: false });
  }

  /** Returns when the process takes jobs. */
  static async start(environment: Environment): Promise<ImportProcess> {
    const { config, log, isChild } = environment;
    const settings = SettingsModule.with({
      ...environment,
      config: {
        ...config,
        databasePoolSize: Math.min(config.databasePoolSize, maxConnections),
        metricsPort: isChild ? undefined : config.metricsPort,
      },
    });
    const app = await NestFactory.createApplicationContext(
      { module: ImportProcessModule, imports: [settings] },
      { logger: log, abortOnError: false },
    );
    const started = new ImportProcess(app);
    if (isChild) started.#serveParent();
    else await started.#listen(environment);
    return started;
  }

  /** Undefined in a child process. */
  get port(): number | undefined {
    return this.#server && (this.#server.address() as AddressInfo).port;
  }

  /** Undefined if metrics are off. */
  get metricsPort(): number | undefined {
    return this.context.get<MetricsServer | null>(MetricsServer, { strict: false })?.port;
  }

  wake(): void {
    this.context.get(PgImportQueue, { strict: false }).wake();
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#server?.close();
    this.#server?.closeAllConnections();
    await this.context.close();
    this.#report();
  }

  async #listen({ config, log }: Environment): Promise<void> {
    const health = new HealthService(new PgDatabaseState(this.context.get(AdaptivePool, { strict: false })), log);
    const metrics = this.context.get<Metrics | null>(Metrics, { strict: false });
    watchImports(metrics, this.#counts);
    this.#server = createServer(serverLimits, healthListener(health, log, metrics)).listen(config.port, config.host);
    await once(this.#server, 'listening');
    health.listening({ role: 'import', changeListener: undefined, redis: undefined, clickHouse: undefined });
  }

  #serveParent(): void {
    const end = () => {
      process.kill(process.pid, 'SIGTERM');
      // The database may be unavailable. Interrupted work is repeated.
      setTimeout(() => process.exit(1), endTimeoutMs).unref();
    };
    process.once('disconnect', end);
    // The parent ended during the start.
    if (!process.connected) end();
    process.on('message', () => this.wake());
    const worker = this.context.get(ImportWorkerService, { strict: false });
    this.#timer = setInterval(() => {
      this.#report();
      if (!worker.isBusy && performance.now() - worker.lastUse > idleMs) end();
    }, reportIntervalMs);
  }

  /** Sends the counts since the last report. */
  #report(): void {
    if (process.connected) process.send?.({ ...this.#counts });
    Object.assign(this.#counts, new ImportCounts());
  }
}
