import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../../src/shared/domain-error';
import { apiDescription } from '../support/api-description';
import { aTemporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '../..');
const folder = aTemporaryFolder();
const operationIds = Object.values(apiDescription.paths).flatMap((path) =>
  Object.values(path).map(({ operationId }) => operationId),
);

let html: string;
let markup: string;
beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/api-reference.mjs'), folder], { stdio: 'ignore' });
  html = readFileSync(join(folder, 'index.html'), 'utf8');
  // The library's script contains markup in strings.
  markup = html.replaceAll(/(<script\b[^>]*>)[^]*?(<\/script>)/g, '$1$2');
});

test('has every operation', () => {
  expect(operationIds.length).toBeGreaterThan(40);
  expect(operationIds.filter((id) => !html.includes(`"operationId":"${id}"`))).toEqual([]);
});

test('has the section of every error code, and links to it', () => {
  const missing = errorCodes.filter(
    (code) => !html.includes(`## ${code}\\n\\nStatus `) || !markup.includes(`href="#section/Errors/${code}"`),
  );
  expect(missing).toEqual([]);
  // Links to pages of the repository would lead nowhere.
  expect([...html.matchAll(/\]\([^)\s]*\.md[)#]/g)].map(([link]) => link)).toEqual([]);
});

test('links each error of an operation to its section', () => {
  const link = '[`SLUG_EXISTS`](#section/Errors/SLUG_EXISTS) The slug is already used in the project';
  expect(html.includes(link)).toBe(true); // `toContain` would print three megabytes
});

test('loads nothing from another host', () => {
  const loaded = [...markup.matchAll(/<(script|link|img|iframe|source)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
  expect(loaded.map(([, element, address]) => [element, address])).toEqual([]);
  const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(markup) ?? [];
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/http|\*|'self'/);
});
