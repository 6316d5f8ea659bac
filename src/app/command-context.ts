import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Log } from '../platform/observability/log';
import { setActorOfProcess } from '../platform/postgres/current-actor';
import { migrateIfNeeded } from '../platform/schema/migrations';
import { openDatabase } from '../platform/schema/open-database';
import type { Config } from './settings/config';
import { refuseRegion } from '../regions/region';
import { SettingsModule } from './settings.module';

/**
 * Builds a module on the configured database without a listener, runs `work`, and closes everything.
 * @throws BadSetting if the database is that of a region, which ignores writes
 */
export async function withContext<T>(
  settings: Config,
  module: Type,
  work: (app: INestApplicationContext, config: Config) => Promise<T>,
): Promise<T> {
  setActorOfProcess({ kind: 'shell' });
  const log = new Log('silent');
  const database = await openDatabase(settings, log);
  try {
    if (settings.migrateOnStart) await migrateIfNeeded(database.directUrl);
    if (settings.primaryDatabaseUrl === undefined) await refuseRegion(database.url);
    // The port of the metrics belongs to the service, which may run on the same machine.
    const config = { ...settings, databasePoolSize: 2, metricsPort: undefined };
    const imports = [SettingsModule.with({ config, database, log })];
    const options = { logger: false, abortOnError: false } as const;
    const app = await NestFactory.createApplicationContext({ module, imports }, options);
    try {
      return await work(app, config);
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
  }
}
