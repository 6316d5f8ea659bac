/** @needs tools */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MigrationFile, migrationsFolder, readMigrationFiles } from '../../src/platform/schema/migration-files';
import { root } from '../support/chart-tools';
import { aTemporaryFolder } from '../support/temporary-folder';

interface Finding {
  file: string;
  line: number;
  rule_name: string;
  message: string;
}

/**
 * Options for files with `-- no transaction`. They repeat the exclusions of `.squawk.toml`, because options replace it. The third
 * rule requires IF NOT EXISTS, which accepts an invalid index after a failed build; the program checks validity.
 */
const withoutTransaction = [
  '--no-assume-in-transaction',
  '--exclude=require-lock-timeout,require-statement-timeout,prefer-robust-stmts',
];

function lint(files: string[], ...options: string[]): { status: number | null; findings: Finding[] } {
  const { error, status, stdout, stderr } = spawnSync(
    join(root, 'tools/node_modules/.bin/squawk'),
    ['--config', join(root, '.squawk.toml'), '--reporter', 'json', ...options, ...files],
    { encoding: 'utf8' },
  );
  if (error) throw error;
  if (!stdout.startsWith('[')) throw new Error(`squawk: ${stdout}${stderr}`);
  return { status, findings: JSON.parse(stdout) as Finding[] };
}

const migrations = readMigrationFiles(migrationsFolder);
const pathsOf = (files: MigrationFile[]): string[] => files.map(({ file }) => join(migrationsFolder, file));

it('migrations block neither traffic nor the previous release', () => {
  expect(migrations.map(({ file }) => file)).toEqual(readdirSync(migrationsFolder).sort());
  expect(migrations.length).toBeGreaterThanOrEqual(3);
  expect(new Set(migrations.map(({ file }) => file.slice(0, 4))).size).toBe(migrations.length);
  expect(lint(pathsOf(migrations.filter(({ inTransaction }) => inTransaction)))).toEqual({ status: 0, findings: [] });
  const others = pathsOf(migrations.filter(({ inTransaction }) => !inTransaction));
  if (others.length > 0) expect(lint(others, ...withoutTransaction)).toEqual({ status: 0, findings: [] });
});

const folder = aTemporaryFolder();

it.each([
  ['ALTER TABLE projects DROP COLUMN name;', 'ban-drop-column'],
  ['ALTER TABLE projects RENAME COLUMN name TO title;', 'renaming-column'],
  ['ALTER TABLE projects ADD COLUMN note text NOT NULL;', 'adding-required-field'],
  ['ALTER TABLE projects ALTER COLUMN name SET NOT NULL;', 'adding-not-nullable-field'],
  ['CREATE INDEX projects_by_note ON projects (name);', 'require-concurrent-index-creation'],
  ['SELECT 1; CREATE INDEX CONCURRENTLY a ON projects (name);', 'ban-concurrent-index-creation-in-transaction'],
])('the linter reports a violation of %s', (sql, rule) => {
  const file = join(folder, '0099-test.sql');
  writeFileSync(file, `${sql}\n`);
  const { status, findings } = lint([file]);
  expect(status).toBe(1);
  expect(findings.map(({ rule_name }) => rule_name)).toContain(rule);
});

/**
 * Returns removals that the linter does not cover and the previous release may need: constraints, whose names identify errors,
 * functions, triggers and types. A dropped object must be recreated in the same file. A file that removes unused objects
 * contains `-- contract: …`.
 */
function findRemovals(sql: string): string[] {
  if (/^-- contract: \S/m.test(sql)) return [];
  const statements = sql.replace(/--.*$/gm, '').replace(/\$\$[^]*?\$\$/g, '');
  const dropped = [
    ...statements.matchAll(
      /\bDROP\s+(CONSTRAINT|FUNCTION|TRIGGER|TYPE|DOMAIN|VIEW|SEQUENCE)\s+(?:IF\s+EXISTS\s+)?(\w+)/gi,
    ),
  ].filter(
    ([, kind, name]) =>
      !new RegExp(`\\b(ADD|CREATE|CREATE\\s+OR\\s+REPLACE)\\s+${kind!}\\s+${name!}\\b`, 'i').test(statements),
  );
  const renamed = statements.matchAll(/\bRENAME\s+(?:\w+\s+)*?TO\s+\w+/gi);
  const required = statements.matchAll(/\bALTER\s+COLUMN\s+\w+\s+DROP\s+DEFAULT\b/gi);
  return [...dropped, ...renamed, ...required].map(([text]) => text);
}

describe('objects that the previous release needs are not removed', () => {
  it('by any migration', () => {
    for (const { file } of migrations)
      expect([file, findRemovals(readFileSync(join(migrationsFolder, file), 'utf8'))]).toEqual([file, []]);
  });

  it.each([
    ['ALTER TABLE projects DROP CONSTRAINT projects_subdomain_unique;', true],
    ['ALTER TABLE projects RENAME CONSTRAINT projects_subdomain_unique TO other;', true],
    ['ALTER TABLE projects DROP CONSTRAINT named, ADD CONSTRAINT named CHECK (true) NOT VALID;', false],
    ['DROP FUNCTION purge_deleted_project;', true],
    ['DROP TRIGGER announced ON projects;', true],
    [
      'DROP TRIGGER announced ON projects; CREATE TRIGGER announced AFTER UPDATE ON projects EXECUTE FUNCTION f();',
      false,
    ],
    ['ALTER TABLE projects ALTER COLUMN name DROP DEFAULT;', true],
    ['-- contract: nothing since 0.3.0 uses it\nDROP FUNCTION purge_deleted_project;', false],
    ['CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP FUNCTION g $$; -- DROP FUNCTION h', false],
  ])('%s', (sql, does) => {
    expect(findRemovals(sql).length > 0).toBe(does);
  });
});
