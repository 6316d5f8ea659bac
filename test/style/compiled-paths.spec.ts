import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const programs = ['benchmarks', 'scripts', 'test/mutation'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.[cm]js$/.test(name))
    .map((name) => `${folder}/${name}`),
);

test.each(programs)('%s names compiled files by the paths of their sources', (program) => {
  const named = readFileSync(join(root, program), 'utf8').matchAll(/build\/([\w/.-]+)\.js\b/g);
  const missing = [...named].map(([, path]) => `src/${path}.ts`).filter((source) => !existsSync(join(root, source)));
  expect(missing).toEqual([]);
});
