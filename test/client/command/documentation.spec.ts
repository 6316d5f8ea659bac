import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../clients/typescript/src/command/commands';
import { exitCodeMeanings } from '../../../clients/typescript/src/command/exit-codes';
import { linkFieldNames } from '../../../clients/typescript/src/command/link-fields';

const read = (path: string): string => readFileSync(join(__dirname, '../../..', path), 'utf8');
const page = read('docs/command-line.md');

test('the page of the command has each exit code and command', () => {
  const codes = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(codes).toEqual(Object.entries(exitCodeMeanings));
  const named = [...page.matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(commands.map(({ name }) => name));
});

interface Description {
  paths: Record<string, Record<string, { parameters: { name?: string; schema: { enum?: string[] } }[] }>>;
  components: { schemas: Record<string, { properties: object }> };
}

test('options offer the values and fields of the API', () => {
  const { paths, components } = JSON.parse(read('openapi.json')) as Description;
  const choicesIn = (path: string, method: string, parameter: string) =>
    paths[`/projects/{projectId}/${path}`]![method]!.parameters.find(({ name }) => name === parameter)!.schema.enum;
  const choicesOf = (command: string, option: string) =>
    commands.find(({ name }) => name === command)!.options[option]!.choices;
  expect(choicesOf('import', 'source')).toEqual(choicesIn('imports', 'post', 'source'));
  expect(choicesOf('import', 'conflict')).toEqual(choicesIn('imports', 'post', 'conflict'));
  expect(choicesOf('export', 'format')).toEqual(choicesIn('links/export', 'get', 'format'));
  expect(choicesOf('links list', 'sort-by')).toEqual(choicesIn('links', 'get', 'sortBy'));
  expect(linkFieldNames).toEqual(Object.keys(components.schemas['UpdateDynamicLinkBody']!.properties));
});
