import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '../support/database';
import { endAllPrograms, Program } from '../support/process';
import { aTemporaryFolder } from '../support/temporary-folder';

const planted = join(aTemporaryFolder(), 'planted.cjs');
let database: TestDatabase;
beforeAll(async () => (database = await createDatabase()));
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

test('a shutdown hook that fails makes the process exit with 1', async () => {
  writeFileSync(planted, `require('node:http').Server.prototype.close = () => { throw new Error('planted'); };`);
  const program = await Program.serving({
    DATABASE_URL: database.url,
    MIGRATE_ON_START: 'false',
    NODE_OPTIONS: `--require ${planted}`,
  });
  expect(await program.stop()).toEqual({ code: 1, signal: null });
  expect(program.logLines.some((line) => JSON.stringify(line).includes('planted'))).toBe(true);
});
