import { NestFactory } from '@nestjs/core';
import { AccountsService } from '../management-api/accounts/accounts.service';
import { ApiKeysService } from '../management-api/api-keys/api-keys.service';
import { Log } from '../platform/observability/log';
import { migrate } from '../platform/postgres/migrations';
import { openDatabase } from '../platform/postgres/open-database';
import { AppModule } from './app.module';
import { readConfig } from './config';

/** The application services that administration uses. */
export interface AdminServices {
  accounts: AccountsService;
  keys: ApiKeysService;
}

/** Opens the application on its database, without a listener, for as long as `work` takes. */
export async function withServices<T>(work: (services: AdminServices) => Promise<T>): Promise<T> {
  const config = readConfig();
  const log = new Log('silent');
  const database = await openDatabase(config, log);
  try {
    if (config.migrateOnStart) await migrate(database.directUrl);
    // Nothing is counted here: a connection to Redis would only keep the program from ending.
    const settings = { ...config, databasePoolSize: 2, redisUrl: undefined };
    const module = AppModule.with(settings, database.url, log);
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      return await work({ accounts: app.get(AccountsService), keys: app.get(ApiKeysService) });
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
  }
}
