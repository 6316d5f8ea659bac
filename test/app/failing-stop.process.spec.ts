import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '../support/database';
import { endAllPrograms, Program } from '../support/process';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = mkdtempSync(join(tmpdir(), 'signpost-failing-stop-'));
});
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
  rmSync(folder, { recursive: true });
});

test('a shutdown hook that fails makes the process exit with 1', async () => {
  const planted = join(folder, 'planted.cjs');
  writeFileSync(
    planted,
    `require('node:http').Server.prototype.close = () => {
       throw new Error('planted');
     };`,
  );
  const program = await Program.serving({
    DATABASE_URL: database.url,
    MIGRATE_ON_START: 'false',
    NODE_OPTIONS: `--require ${planted}`,
  });
  expect(await program.stop()).toEqual({ code: 1, signal: null });
  expect(program.logLines.some((line) => JSON.stringify(line).includes('planted'))).toBe(true);
});
