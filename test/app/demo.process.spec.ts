import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { demoLinks } from '../../src/app/demo-content';
import { analytics } from '../clicks/recording/counting';
import { limitsOfPrograms } from '../support/time-limits';
import { serviceFixture } from '../support/fixtures';

const program = join(__dirname, '..', '..', 'dist', 'demo.js');

const on = serviceFixture();

/** Runs the program while the service uses the same database. */
function run(environment: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: on.database.url, ...environment };
    const child = spawn(process.execPath, [...limitsOfPrograms(), program], { env });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    child.on('close', (code) => resolve({ code, output }));
  });
}

const printedLink = /\/console\/projects\/([0-9a-f-]{36})#key=(svc_live_\w+)\n/;

test('fills the demo project once, and prints a link with a new key each time', async () => {
  const first = await run();
  expect(first).toEqual({ code: 0, output: expect.stringMatching(printedLink) as string });
  const [, projectId, key] = printedLink.exec(first.output)!;
  const [, links, clicks] = /Added (\d+) links with (\d+) clicks/.exec(first.output)!;
  expect(Number(links)).toBe(demoLinks.length);
  const sixtyDays = { from: new Date(Date.now() - 61 * 86_400_000).toISOString(), include_bots: true };
  expect((await analytics(on, key!, projectId!, sixtyDays)).totals.clicks).toBe(Number(clicks));
  const tags = [...new Set(demoLinks.flatMap(({ link }) => link.tags ?? []))].sort();
  expect(tags.length).toBeGreaterThan(2);
  expect(await on.database.query('SELECT name FROM tags ORDER BY name')).toEqual(tags.map((name) => ({ name })));
  // All are summed, so that the first page with statistics is fast.
  expect(await on.database.query('SELECT FROM fresh_click_batches')).toEqual([]);

  const second = await run();
  expect(second).toEqual({ code: 0, output: expect.stringContaining('has the demo links already') as string });
  const [, sameProject, otherKey] = printedLink.exec(second.output)!;
  expect(sameProject).toBe(projectId);
  expect(otherKey).not.toBe(key);
  await on.api('get', `/projects/${projectId!}`, otherKey).expect(200);
});

test('refuses a production database', async () => {
  const { code, output } = await run({
    NODE_ENV: 'production',
    API_KEY_PEPPER: 'a-pepper-of-more-than-thirty-two-characters',
  });
  expect(code).toBe(1);
  expect(output).toMatch(/^NODE_ENV: must be development or test/);
});

test('MIGRATE_ON_START=false leaves pending migrations to npm run migrate', async () => {
  const rename = (name: string) =>
    on.database.query(`UPDATE schema_migrations SET name = ${name} WHERE id = (SELECT max(id) FROM schema_migrations)`);
  await rename(`'pending-' || name`);
  try {
    expect((await run({ MIGRATE_ON_START: 'false' })).code).toBe(0);
  } finally {
    await rename(`substr(name, length('pending-') + 1)`);
  }
});
