import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app/app.module';
import { readConfig } from './app/config';
import { describeApi } from './management-api/openapi/document';
import { Log } from './platform/observability/log';

const file = join(__dirname, '..', 'openapi.json');

/** Writes openapi.json from the controllers, or with `--check` compares it. It needs no database, because nothing is instantiated. */
async function main(): Promise<void> {
  const config = readConfig({});
  const log = new Log('silent');
  const app = await NestFactory.create(AppModule.with({ config, database: { url: '', directUrl: '' }, log }), {
    preview: true,
    abortOnError: false,
    logger: false,
  });
  const written = `${JSON.stringify(describeApi(app, config.apiBaseUrl), null, 2)}\n`;
  if (!process.argv.includes('--check')) return writeFileSync(file, written);
  if (readFileSync(file, 'utf8') === written) return;
  process.stderr.write('openapi.json differs from the controllers: run "npm run openapi" and commit it\n');
  process.exitCode = 1;
}

void main();
