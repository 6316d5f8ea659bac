import { NestFactory } from '@nestjs/core';
import { AccountsService } from '../management-api/accounts/accounts.service';
import { ApiKeysService } from '../management-api/api-keys/api-keys.service';
import { Log } from '../platform/observability/log';
import { migrateIfNeeded } from '../platform/postgres/migrate-if-needed';
import { openDatabase } from '../platform/postgres/open-database';
import { AdminModule } from './admin.module';
import { readConfig } from './config';

/** The application services that administration uses. */
export interface AdminServices {
  accounts: AccountsService;
  keys: ApiKeysService;
}

/** Opens the application services on the configured database, runs `work` and closes them. */
export async function withServices<T>(work: (services: AdminServices) => Promise<T>): Promise<T> {
  const log = new Log('silent');
  const settings = readConfig();
  const database = await openDatabase(settings, log);
  try {
    if (settings.migrateOnStart) await migrateIfNeeded(database.directUrl);
    // The port of the metrics belongs to the service, which may run on the same machine.
    const config = { ...settings, databasePoolSize: 2, metricsPort: undefined };
    const app = await NestFactory.createApplicationContext(AdminModule.with({ config, database, log }), {
      logger: false,
      abortOnError: false,
    });
    try {
      return await work({ accounts: app.get(AccountsService), keys: app.get(ApiKeysService) });
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
  }
}
