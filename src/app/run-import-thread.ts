import type { MessagePort } from 'node:worker_threads';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { importFunctions } from '../management-api/import-work/thread-import-work';
import { ImportWorkModule } from '../management-api/import-work/import-work.module';
import { LocalImportWork } from '../management-api/import-work/local-import-work.service';
import { Log } from '../platform/observability/log';
import { answerCalls } from '../platform/threads/answer-calls';
import { toSentError } from '../platform/threads/sent-error';
import type { FromThread } from '../platform/threads/thread-messages';
import { readConfig } from './config';
import type { Environment } from './environment';
import type { ImportThreadData } from './import-thread-program';
import { SettingsModule } from './settings.module';

/** Connections of the thread: one for a slice, and two for files that arrive. docs/operating/scale.md counts them. */
const maxConnections = 3;

@Module({ imports: [ImportWorkModule] })
class ImportThreadModule {
  static with(environment: Environment): DynamicModule {
    return { module: ImportThreadModule, imports: [SettingsModule.with(environment)] };
  }
}

/** Answers the calls of `ThreadImportWork` until it closes the thread. */
export async function runImportThread(port: MessagePort, { database }: ImportThreadData): Promise<void> {
  try {
    const settings = readConfig();
    const log = new Log(settings.logLevel);
    const databasePoolSize = Math.min(settings.databasePoolSize, maxConnections);
    // The port of the metrics belongs to the main thread.
    const config = { ...settings, databasePoolSize, metricsPort: undefined };
    const app = await NestFactory.createApplicationContext(ImportThreadModule.with({ config, database, log }), {
      logger: log,
      abortOnError: false,
    });
    answerCalls(port, importFunctions(app.get(LocalImportWork)), () => app.close());
  } catch (error) {
    port.postMessage({ kind: 'unusable', error: toSentError(error) } satisfies FromThread);
    port.close();
  }
}
