// npm run docs:api: writes reports/api-reference/index.html from openapi.json and docs/errors. The page needs no network.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'reports/api-reference');
const read = (path) => readFileSync(join(root, path), 'utf8');

const api = JSON.parse(read('openapi.json'));
const codes = api.components.schemas.ErrorCode.enum;

/** Links a code to its section, by the anchor that Redoc gives to a heading of the description. */
const linkTo = (code) => `[\`${code}\`](#section/Errors/${code})`;

/** Turns links to other pages into text, because the page is often read without the repository. */
const withoutLinks = (markdown) => markdown.replaceAll(/\[([^\]]+)\]\([^)#]*\.md(?:#[^)]*)?\)/g, '$1');

function errorSection(code) {
  const page = read(`docs/errors/${code}.md`);
  return withoutLinks(page.replace(/^# .+\n/, `## ${code}\n`).replace(/\n\[All error codes\]\(README\.md\)\n$/, ''));
}

function tableOfErrors() {
  const rows = codes.map((code) => {
    const [, status, meaning] = /^Status (\d{3})\. (.+)$/m.exec(read(`docs/errors/${code}.md`));
    return `| ${linkTo(code)} | ${status} | ${meaning} |`;
  });
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}

api.info.description += `\n\n# Errors\n\n${tableOfErrors()}\n\n${codes.map(errorSection).join('\n')}`;
for (const { responses } of Object.values(api.paths).flatMap((path) => Object.values(path))) {
  for (const response of Object.values(responses)) {
    const examples = Object.values(response.content?.['application/json']?.examples ?? {});
    if (examples.length > 0)
      response.description = examples
        .map(({ summary, value }) => `${linkTo(value.error.code)} ${summary}`)
        .join(' · ');
  }
}

mkdirSync(folder, { recursive: true });
const description = join(folder, 'openapi.json');
writeFileSync(description, JSON.stringify(api));
const output = join(folder, 'index.html');
execFileSync(
  join(root, 'node_modules/.bin/redocly'),
  ['build-docs', description, '--inlineBundle', '--output', output, '--title', 'Signpost API'],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
console.log(output);
