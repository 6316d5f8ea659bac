import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseOfPrograms, Program } from '../support/process';
import { aTemporaryFolder } from '../support/temporary-folder';

const planted = join(aTemporaryFolder(), 'planted.cjs');
const database = databaseOfPrograms();

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
