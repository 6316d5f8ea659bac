import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app/app.module';
import { readConfig } from './app/config';
import { describeApi } from './api-kit/openapi/document';
import { policyTable } from './api-kit/openapi/policy-table';
import { Log } from './platform/observability/log';
import { packageRoot } from './shared/package-root';

const maxLineLength = 119;

/**
 * Writes openapi.json from the controllers, and the table of its policies into a page, or with `--check` compares them. It
 * needs no database,
 * because nothing is instantiated.
 */
async function main(): Promise<void> {
  const config = readConfig({});
  const log = new Log('silent');
  const app = await NestFactory.create(AppModule.with({ config, database: { url: '', directUrl: '' }, log }), {
    preview: true,
    abortOnError: false,
    logger: false,
  });
  const description = describeApi(app, config.apiBaseUrl);
  write('openapi.json', () => `${printJson(JSON.parse(JSON.stringify(description)))}\n`);
  const table = policyTable(description);
  write('docs/roles-and-keys.md', (page) =>
    page.replace(/(?<=<!-- operations -->\n)[^]*?(?=<!-- end -->)/, () => table),
  );
}

function write(name: string, contentOf: (before: string) => string): void {
  const file = join(packageRoot, name);
  const before = readFileSync(file, 'utf8');
  const content = contentOf(before);
  if (!process.argv.includes('--check')) return writeFileSync(file, content);
  if (content === before) return;
  process.stderr.write(`${name} differs from the controllers: run "npm run openapi" and commit it\n`);
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
