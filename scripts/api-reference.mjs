// npm run docs:api [-- FOLDER]: writes index.html from openapi.json and docs/errors.md, by default into reports/api-reference.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from './install.mjs';

const root = join(import.meta.dirname, '..');
const folder = resolve(root, process.argv[2] ?? 'reports/api-reference');
const read = (path) => readFileSync(join(root, path), 'utf8');

/** Lets the page run its script, and stops every request, because a page on disk needs none. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:";

const api = JSON.parse(read('openapi.json'));
const codes = api.components.schemas.ErrorCode.enum;

/** Links a code to its section, by the anchor that Redoc gives to a heading of the description. */
const linkTo = (code) => `[\`${code}\`](#section/Errors/${code})`;

/** Turns links to other pages into text, because the page is often read without the repository. */
const withoutLinks = (markdown) => markdown.replaceAll(/\[([^\]]+)\]\((?:[^)#]*\.md)?(?:#[^)]*)?\)/g, '$1');

/** Breaks examples into short lines, because the column of the page is narrow. */
const withShortLines = (markdown) =>
  markdown.replaceAll(/(?<=^```json\n)[^]*?(?=^```$)/gm, (json) => `${JSON.stringify(JSON.parse(json), null, 2)}\n`);

/** The part of docs/errors.md of each code, by the code. */
const sections = Object.fromEntries(
  read('docs/errors.md')
    .split(/^(?=## )/m)
    .slice(1)
    .map((section) => [/^## (\S+)/.exec(section)[1], withShortLines(withoutLinks(section))]),
);

function tableOfErrors() {
  const rows = codes.map((code) => {
    const [, status, meaning] = /^Status (\d{3})\. (.+)$/m.exec(sections[code]);
    return `| ${linkTo(code)} | ${status} | ${meaning} |`;
  });
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}

api.info.description += `\n\n# Errors\n\n${tableOfErrors()}\n\n${codes.map((code) => sections[code]).join('\n')}`;
// An address relative to this file, or on the machine that wrote it, would mislead a reader.
api.servers = [{ url: 'https://api.example.com/api/v1', description: 'Your service.' }];
const responses = Object.values(api.paths).flatMap((path) =>
  Object.values(path).flatMap((operation) => Object.values(operation.responses)),
);
for (const response of [...responses, ...Object.values(api.components.responses)]) {
  const examples = Object.values(response.content?.['application/json']?.examples ?? {})
    .map((example) => (example.$ref ? api.components.examples[example.$ref.split('/').at(-1)] : example))
    .filter(({ value }) => value.error);
  if (examples.length > 0)
    response.description = examples.map(({ summary, value }) => `${linkTo(value.error.code)} ${summary}`).join(' · ');
}

mkdirSync(folder, { recursive: true });
const description = join(folder, 'openapi.json');
writeFileSync(description, JSON.stringify(api));
const output = join(folder, 'index.html');
install('tools');
execFileSync(
  join(root, 'tools/node_modules/.bin/redocly'),
  [
    ...['build-docs', description, '--output', output, '--title', 'Signpost API'],
    ...['--inlineBundle', '--openapi.disableTelemetry', '--openapi.hideTryItPanel'],
  ],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
const head = '<head>\n';
const html = readFileSync(output, 'utf8');
if (!html.includes(head)) throw new Error('Redoc has written no head, so that the policy has no place.');
const additions = `  <meta http-equiv="Content-Security-Policy" content="${policy}">\n  <style>pre { white-space: pre-wrap; }</style>\n`;
writeFileSync(output, html.replace(head, head + additions));
console.log(output);
