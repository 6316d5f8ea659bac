import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../clients/typescript/src/command/commands';
import { exitCodeMeanings } from '../../../clients/typescript/src/command/exit-codes';
import {
  apiKeys,
  apps,
  domains,
  members,
  projects,
  shortLinks,
} from '../../../clients/typescript/src/command/resources';
import type { Resource } from '../../../clients/typescript/src/command/resource-commands';
import { linkFieldNames } from '../../../clients/typescript/src/command/link-fields';

const read = (path: string): string => readFileSync(join(__dirname, '../../..', path), 'utf8');
const page = read('docs/command-line.md');

test('the page of the command has each exit code and command', () => {
  const codes = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(codes).toEqual(Object.entries(exitCodeMeanings));
  // A row may have several commands of a group: `keys list`, `get`.
  const rows = [...page.matchAll(/^\| (`[a-z-]+(?: [a-z]+)?`(?:, `[a-z]+`)*) \|/gm)].map(([, cell]) => cell!);
  const named = rows.flatMap((cell) => {
    const [first, ...further] = cell.replaceAll('`', '').split(', ');
    return [first, ...further.map((verb) => `${first!.split(' ')[0]} ${verb}`)];
  });
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
  expect(choicesOf('stats', 'group-by')).toEqual(choicesIn('analytics', 'get', 'group_by'));
  expect(choicesOf('funnel', 'group-by')).toEqual(choicesIn('analytics/store-funnel', 'get', 'group_by'));
  expect(choicesOf('conversions stats', 'group-by')).toEqual(choicesIn('analytics/conversions', 'get', 'group_by'));
  expect(choicesOf('conversions export', 'format')).toEqual(choicesIn('conversions/export', 'get', 'format'));
});

test.each<[Resource, string[], string[]]>([
  [projects, ['CreateProjectBody'], ['UpdateProjectBody']],
  [apps, ['CreateIosAppBody', 'CreateAndroidAppBody'], ['UpdateIosAppBody', 'UpdateAndroidAppBody']],
  [shortLinks, ['CreateShortLinkBody'], []],
  [domains, ['AddCustomDomainBody'], ['UpdateCustomDomainBody']],
  [apiKeys, ['CreateApiKeyBody'], ['UpdateApiKeyBody']],
  [members, ['CreateMemberBody'], ['UpdateMemberBody']],
])('options of $name have the fields of the API', ({ fields, updated }, ofCreation, ofUpdate) => {
  const { components } = JSON.parse(read('openapi.json')) as Description;
  const fieldsOf = (bodies: string[]) => [
    ...new Set(bodies.flatMap((name) => Object.keys(components.schemas[name]!.properties))),
  ];
  expect(Object.keys(fields).sort()).toEqual(fieldsOf(ofCreation).sort());
  expect(Object.keys(updated ?? (updated === null ? {} : fields)).sort()).toEqual(fieldsOf(ofUpdate).sort());
});
