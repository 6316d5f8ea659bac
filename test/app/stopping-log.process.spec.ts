import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clicksOfRow } from '../clicks/recording/counting';
import { anAccountByShell, databaseOfPrograms, Program } from '../support/process';
import { aTemporaryFolder } from '../support/temporary-folder';

const folder = aTemporaryFolder();
let key: string;
const database = databaseOfPrograms();
beforeAll(async () => {
  key = (await anAccountByShell({ DATABASE_URL: database.url })).api_key.key;
});

const shutdownTimeoutMs = 1000;

/** The deadline of a stop: 12 s after the time for requests, with the stalls of a busy machine. */
const maxStopMs = shutdownTimeoutMs + 12_000 + 30_000;

/** A library that prints to standard output, which the log does not do through Node. */
const printing = `setInterval(() => console.log('printed'), 50).unref();`;

/** Replaces the end of the listener, so that a stop waits for it forever. */
const endless = `${printing} require('node:http').Server.prototype.close = function () { return this; };`;

test.each([
  ['a stop', 'stops', printing, 0],
  ['a stop that never ends', 'cannot stop', endless, 1],
])('%s ends by its deadline without a reader of the log, and keeps the clicks', async (_, name, planted, code) => {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, planted);
  const program = await Program.serving({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'trace',
    VISIT_LOG_LEVEL: 'info',
    SHUTDOWN_TIMEOUT_SECONDS: String(shutdownTimeoutMs / 1000),
    NODE_OPTIONS: `--require "${file}"`,
  });
  const subdomain = name.replace(' ', '-');
  const create = async (path: string, body: object): Promise<string> => {
    const { status, json } = await program.ask(path, { method: 'POST', key, body });
    expect(status).toBe(201);
    return String(json.data['id']);
  };
  const project = await create('/api/v1/projects', { name: 'Stopping', subdomain });
  const link = { name: 'Sale', custom_path: 'sale', desktop_url: 'https://example.com/' };
  await create(`/api/v1/projects/${project}/links`, link);

  program.closeLog();
  let answered = 0;
  let tooLong: NodeJS.Timeout | undefined;
  const stop = (): void => {
    program.signal('SIGTERM');
    tooLong = setTimeout(() => program.signal('SIGKILL'), maxStopMs);
  };
  const visitors = Array.from({ length: 8 }, async () => {
    for (;;) {
      const { status } = await program.visit(subdomain, '/sale').catch(() => ({ status: 0 }));
      // The listener is closed, or the process has ended.
      if (status === 0) return;
      expect(status).toBe(302);
      answered++;
      if (answered === 300) stop();
      if (answered > 300 && code !== 0) return;
    }
  });
  expect(await program.exit).toEqual({ code, signal: null });
  clearTimeout(tooLong);
  await Promise.all(visitors);

  expect(answered).toBeGreaterThanOrEqual(300);
  const [stored] = await database.query<{ clicks: number }>(
    `SELECT coalesce(sum(${clicksOfRow}), 0)::int AS clicks FROM clicks WHERE project_id = $1`,
    [project],
  );
  expect(stored!.clicks).toBeGreaterThanOrEqual(answered);
  expect(program.stderr).toBe('');
});
