import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { maxWaitMs } from '../../support/eventually';
import { steadyNow } from '../../support/steady-now';

const program = join(__dirname, '..', '..', '..', 'dist', 'main.js');

test.each<[string, Record<string, string>]>([
  ['PORT', { PORT: 'abc' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ['API_KEY_PEPPER', { NODE_ENV: 'production' }],
  [
    'DASHBOARD_AUDIENCE',
    { DASHBOARD_JWKS_URL: 'https://id.example.com/jwks', DASHBOARD_ISSUER: 'https://id.example.com' },
  ],
])(
  'the program stops immediately for an invalid %s, with one line on standard error',
  async (variable, environment) => {
    const startedAt = steadyNow();
    const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], DATA_DIR: '/nonexistent', ...environment };
      execFile(process.execPath, [program], { env, timeout: maxWaitMs }, (error, stdout, stderr) =>
        resolve({ code: error?.code, stdout, stderr }),
      );
    });
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^${variable}: [^\n]+\n$`)),
    });
    expect(steadyNow() - startedAt).toBeLessThan(20_000);
  },
);
