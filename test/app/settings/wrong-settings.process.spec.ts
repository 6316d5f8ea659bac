import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { maxWaitMs } from '../../support/eventually';
import { steadyNow } from '../../support/steady-now';

const program = join(__dirname, '..', '..', '..', 'dist', 'main.js');

test('the program stops immediately for an invalid setting, with one line on standard error', async () => {
  const startedAt = steadyNow();
  const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], DATA_DIR: '/nonexistent', PORT: 'abc' };
    execFile(process.execPath, [program], { env, timeout: maxWaitMs }, (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout, stderr }),
    );
  });
  expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^PORT: [^\n]+\n$/) });
  expect(steadyNow() - startedAt).toBeLessThan(20_000);
});
