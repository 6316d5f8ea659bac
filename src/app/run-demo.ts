import { NestFactory } from '@nestjs/core';
import { Log } from '../platform/observability/log';
import { migrate } from '../platform/postgres/migrations';
import { openDatabase } from '../platform/postgres/open-database';
import { BadSetting } from '../shared/bad-setting';
import { readConfig } from './config';
import { refillDemo } from './demo';
import { DemoModule } from './demo.module';

/** Fills the demo project on the configured database, while the service runs or not, and prints a link to it. */
export async function runDemo(): Promise<void> {
  const settings = readConfig();
  if (settings.production)
    throw new BadSetting('NODE_ENV: must be development or test, because the demo account is not for production');
  const log = new Log('silent');
  const database = await openDatabase(settings, log);
  try {
    await migrate(database.directUrl);
    // The port of the metrics belongs to the service, which may run on the same machine.
    const config = { ...settings, databasePoolSize: 2, metricsPort: undefined };
    const app = await NestFactory.createApplicationContext(DemoModule.with({ config, database, log }), {
      logger: false,
      abortOnError: false,
    });
    try {
      process.stdout.write(await refillDemo(app, config));
    } finally {
      await app.close();
    }
  } finally {
    await database.close();
  }
}
