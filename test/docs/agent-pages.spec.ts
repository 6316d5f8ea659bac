import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../support/pages';
import { aTemporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '../..');
const folder = aTemporaryFolder();
execFileSync(process.execPath, [join(root, 'scripts/agent-pages.mjs'), folder]);
const pages = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Returns the targets of links that are no addresses of other hosts. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target]) => target!.split('#')[0]!).filter(Boolean);

test('llms.txt lists every page, and each link leads to a page', () => {
  const others = [...pages.keys()].filter((name) => name !== 'llms.txt').sort();
  expect([...new Set(linksIn(pages.get('llms.txt')!))].sort()).toEqual(others);
  for (const [name, text] of pages)
    expect([name, linksIn(text).filter((target) => !pages.has(target))]).toEqual([name, []]);
});

test('the pages have every operation, parameter, field and error code', () => {
  const { paths, components } = JSON.parse(readPage('openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: Record<string, { enum?: string[]; properties?: object }> };
  };
  const text = [...pages.values()].join('\n');
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids.filter((id) => !text.includes(`\n## ${id}\n`))).toEqual([]);
  const bodies = Object.entries(components.schemas).filter(([name]) => name.endsWith('Body'));
  const fields = bodies.flatMap(([, { properties = {} }]) => Object.keys(properties));
  expect(fields.filter((field) => !text.includes(`| \`${field}\` |`))).toEqual([]);
  expect(components.schemas['ErrorCode']!.enum!.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  expect(text).not.toMatch(/undefined|\[object Object\]/);
});
