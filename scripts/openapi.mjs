// npm run openapi: writes openapi.json from the controllers, and the table of its policies into docs/roles-and-keys.md. With --check,
// fails if a file differs. It needs no database, because nothing is instantiated. Run `npm run build` first.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { NestFactory } = require('@nestjs/core');
const { AppModule } = require('../build/app/app.module.js');
const { readConfig } = require('../build/app/settings/config.js');
const { SettingsModule } = require('../build/app/settings.module.js');
const { operationsOf } = require('../build/api-kit/openapi/described-operation.js');
const { describeApi } = require('../build/api-kit/openapi/document.js');
const { requirePolicy } = require('../build/api-kit/policy/policies.js');
const { Log } = require('../build/platform/observability/log.js');

const maxLineLength = 119;

const config = readConfig({});
const settings = SettingsModule.with({ config, database: { url: '', directUrl: '' }, log: new Log('silent') });
const options = { preview: true, abortOnError: false, logger: false };
const app = await NestFactory.create({ module: AppModule, imports: [settings] }, options);
const description = describeApi(app, config.apiBaseUrl);
write('openapi.json', () => `${printJson(JSON.parse(JSON.stringify(description)))}\n`);
write('docs/roles-and-keys.md', (page) =>
  page.replace(/(?<=<!-- operations -->\n)[^]*?(?=<!-- end -->)/, () => policyTable()),
);

function write(name, contentOf) {
  const file = join(root, name);
  const before = readFileSync(file, 'utf8');
  const content = contentOf(before);
  if (!process.argv.includes('--check')) return writeFileSync(file, content);
  if (content === before) return;
  process.stderr.write(`${name} differs from the controllers: run "npm run openapi" and commit it\n`);
  process.exitCode = 1;
}

/** Returns a table in Markdown of the policy of each described operation, in the order of the description. */
function policyTable() {
  const rows = operationsOf(description).map(({ operation, method, path }) => {
    const policy = requirePolicy(operation.operationId);
    const [keys, people] = typeof policy === 'string' ? [policy, policy] : policy;
    return `| \`${operation.operationId}\` | ${method.toUpperCase()} ${path} | ${keys} | ${people} |\n`;
  });
  return `\n| operation | request | API keys | people |\n|---|---|---|---|\n${rows.join('')}\n`;
}

/** Prints short objects and arrays on one line, because a reader finds more on a page. */
function printJson(value, indent = '', before = 0) {
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
