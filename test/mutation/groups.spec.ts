import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const text = readFileSync(join(__dirname, 'groups.mjs'), 'utf8');
const [groups, excluded] = text.split('export const excludedTests') as [string, string];

/** Expands `{a,b}` once. */
const alternatives = (pattern: string): string[] => {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names === undefined ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
};

const quoted = (part: string): string[] => [...part.matchAll(/'([^']+)'/g)].map(([, value]) => value!);

const paths = quoted(groups)
  .filter((value) => /^(?:src|test)\//.test(value))
  .flatMap(alternatives)
  .map((path) => path.replace(/\/\*\.ts$/, ''));

test('the mutated files and their specs exist', () => {
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('each excluded test exists in a spec', () => {
  const specs = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(root, 'test', file), 'utf8'));
  expect(quoted(excluded).filter((name) => !specs.some((spec) => spec.includes(name)))).toEqual([]);
});
