import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/chart-tools';

interface Finding {
  file: string;
  line: number;
  rule_name: string;
  message: string;
}

function lint(files: string[]): { status: number | null; findings: Finding[] } {
  const { error, status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/squawk'),
    ['--config', join(root, '.squawk.toml'), '--reporter', 'json', ...files],
    { encoding: 'utf8' },
  );
  if (error) throw error;
  if (!stdout.startsWith('[')) throw new Error(`squawk: ${stdout}${stderr}`);
  return { status, findings: JSON.parse(stdout) as Finding[] };
}

const migrations = readdirSync(join(root, 'migrations')).map((file) => join(root, 'migrations', file));

it('migrations do not stand in the way of traffic, or of the release before', () => {
  expect(migrations.length).toBeGreaterThanOrEqual(3);
  expect(lint(migrations)).toEqual({ status: 0, findings: [] });
});

describe('the linter would say so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-migrations-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['ALTER TABLE projects DROP COLUMN name;', 'ban-drop-column'],
    ['ALTER TABLE projects RENAME COLUMN name TO title;', 'renaming-column'],
    ['ALTER TABLE projects RENAME TO folders;', 'renaming-table'],
    ['DROP TABLE projects;', 'ban-drop-table'],
    ['ALTER TABLE projects ADD COLUMN note text NOT NULL;', 'adding-required-field'],
    ['ALTER TABLE projects ALTER COLUMN name TYPE varchar(20);', 'changing-column-type'],
    ['ALTER TABLE projects ALTER COLUMN name SET NOT NULL;', 'adding-not-nullable-field'],
    ["ALTER TABLE projects ADD CONSTRAINT short CHECK (name <> '');", 'constraint-missing-not-valid'],
    ['CREATE INDEX projects_by_note ON projects (name);', 'require-concurrent-index-creation'],
    [
      'SELECT 1; CREATE INDEX CONCURRENTLY projects_by_note ON projects (name);',
      'ban-concurrent-index-creation-in-transaction',
    ],
  ])('of %s', (sql, rule) => {
    const file = join(folder, '0099-test.sql');
    writeFileSync(file, `${sql}\n`);
    const { status, findings } = lint([file]);
    expect(status).toBe(1);
    expect(findings.map(({ rule_name }) => rule_name)).toContain(rule);
  });
});

it('the lock timeout that the linter is told of is there', () => {
  const runner = readFileSync(join(root, 'src/database/migrations.ts'), 'utf8');
  expect(runner).toMatch(/lock_timeout: 1000,/);
  expect(runner).toMatch(/transaction: 'each'/);
});
