import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app/app.module';
import { readConfig } from './app/config';
import { describeApi } from './api-kit/openapi/document';
import { Log } from './platform/observability/log';
import { packageRoot } from './shared/package-root';

const file = join(packageRoot, 'openapi.json');

const maxLineLength = 119;

/** Writes openapi.json from the controllers, or with `--check` compares it. It needs no database, because nothing is instantiated. */
async function main(): Promise<void> {
  const config = readConfig({});
  const log = new Log('silent');
  const app = await NestFactory.create(AppModule.with({ config, database: { url: '', directUrl: '' }, log }), {
    preview: true,
    abortOnError: false,
    logger: false,
  });
  const written = `${printJson(JSON.parse(JSON.stringify(describeApi(app, config.apiBaseUrl))))}\n`;
  if (!process.argv.includes('--check')) return writeFileSync(file, written);
  if (readFileSync(file, 'utf8') === written) return;
  process.stderr.write('openapi.json differs from the controllers: run "npm run openapi" and commit it\n');
  process.exitCode = 1;
}

/** Prints short objects and arrays on one line, because a reader finds more on a page. */
function printJson(value: unknown, indent = '', before = 0): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null) return line;
  if (indent.length + before + line.length <= maxLineLength) return line;
  const inner = `${indent} `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).map(([name, member]) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `;
    return `${inner}${label}${printJson(member, inner, label.length)}`;
  });
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

void main();
