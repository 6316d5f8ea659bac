import { readPage, tablesOf } from '../support/pages';
import { words } from '../support/words';

interface LockFile {
  packages: Record<string, { license?: string }>;
}

const inTests = words(
  'client-app/platforms clickhouse/engine console/openid-provider deploy/helm link-routing/corpora mutation',
);
const folders = ['', 'console/', 'tools/', 'test/', ...inTests.map((folder) => `test/${folder}/`)];

/** The packages that this repository asks for, with the licences of their lock files. */
const licences = new Map<string, string | undefined>();
for (const folder of folders) {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readPage(`${folder}package.json`),
  ) as Record<string, object>;
  const { packages } = JSON.parse(readPage(`${folder === 'console/' ? '' : folder}package-lock.json`)) as LockFile;
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    licences.set(name, packages[`node_modules/${name}`]?.license);
}

/** The rows of the tables: packages, purpose, alternative, licences, month of the last release. */
const rows = tablesOf(readPage('docs/dependencies.md')).flatMap((table) => table.rows);
const packagesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

test('each package has one row, and each row has packages that are used', () => {
  expect(rows.flatMap(([names]) => packagesIn(names)).sort()).toEqual([...licences.keys()].sort());
});

test.each(rows.map((row) => [row[0]!, row] as const))('%s: the row is complete, with the licences', (_, row) => {
  expect(row).toHaveLength(5);
  const [names, purpose, alternative, licence, lastRelease] = row;
  expect([purpose, alternative]).not.toContain('');
  expect(lastRelease).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
  const used = packagesIn(names).map((name) => licences.get(name)?.replaceAll(/[()]/g, ''));
  expect(licence!.split(', ')).toEqual([...new Set(used)].sort());
});
