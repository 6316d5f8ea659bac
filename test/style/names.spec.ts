import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jestProjects } from '../support/jest-projects';

const src = join(__dirname, '../../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));

const declaration = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

test('each exported name has one owner', () => {
  const owners = new Map<string, Set<string>>();
  for (const { file, text } of files)
    for (const [, name] of text.matchAll(declaration)) owners.set(name!, (owners.get(name!) ?? new Set()).add(file));
  expect([...owners].filter(([, of]) => of.size > 1)).toEqual([]);
});

test('the file and the class of a service have one name', () => {
  const others = files
    .filter(({ file }) => file.endsWith('.service.ts'))
    .filter(({ file, text }) => {
      const words = basename(file, '.ts').split(/[-.]/);
      const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
      return !new RegExp(`^export (abstract )?class ${name}\\b`, 'm').test(text);
    });
  expect(others.map(({ file }) => file)).toEqual([]);
});

test('private members are named with #', () => {
  const isPrivate = /^ {2}private (?!constructor)/m;
  const left = files.filter(({ text }) => isPrivate.test(text));
  expect(left.map(({ file }) => file)).toEqual([]);
});

const specs = readdirSync(join(__dirname, '..'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules'))
  .map((file) => ({ file, text: readFileSync(join(__dirname, '..', file), 'utf8') }));

/** The words of names that select projects. */
const words = jestProjects.flatMap(({ testMatch }) => testMatch[0]!.split('.').slice(1, -2));
/** Words of names that no project has: the roles of the files that pure specs test. */
const roles = ['module', 'pipe', 'repository', 'service'];

test('the last word of the name of a spec selects its Jest project', () => {
  expect(words).toContain('http');
  const unknown = specs.filter(({ file }) => {
    const [, ...found] = basename(file, '.spec.ts').split('.');
    return found.length > 0 && ![...words, ...roles].includes(found.at(-1)!);
  });
  expect(unknown.map(({ file }) => file)).toEqual([]);
});

test('the browser journeys of each change are twelve', () => {
  const journeys = specs
    .filter(({ file }) => file.endsWith('.journey.spec.ts'))
    .flatMap(({ text }) => [...text.matchAll(/^ *(?:test|it)\(/gm)]);
  expect(journeys).toHaveLength(12);
});

test('no spec of npm test repeats a round that has failed', () => {
  const ofOthers = new RegExp(`\\.(${words.filter((word) => word !== 'http').join('|')})\\.spec\\.ts$`);
  const repeating = specs.filter(({ file, text }) => !ofOthers.test(file) && /repeated-rounds';$/m.test(text));
  expect(repeating.map(({ file }) => file)).toEqual([]);
});
