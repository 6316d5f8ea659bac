import { spawn, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of this checkout. */
export const checkout = join(import.meta.dirname, '..');
const { startEmbeddedPostgres } = createRequire(import.meta.url)(
  '../build/platform/embedded-postgres/embedded-postgres.js',
);

/** Starts a PostgreSQL with the durability settings of production. It is temporary unless a folder for it is given. */
export async function postgres(settings = {}, folder = null) {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'signpost-bench-'));
  if (!folder) chmodSync(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, settings: { shared_buffers: '512MB', ...settings } });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      if (!folder) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a Node program and waits until it prints its port. */
export async function program(file, environment, root = checkout) {
  const child = spawn(process.execPath, [join(root, file)], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000);
      const match = /"port":(\d+)/.exec(output);
      if (match) resolve(Number(match[1]));
    });
    child.on('exit', (code) => reject(new Error(`${file} ended with ${code}: ${output}`)));
  });
  child.removeAllListeners('exit');
  return {
    port,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', resolve);
        child.kill();
      }),
  };
}

export const service = (databaseUrl, environment = {}, root = checkout, file = 'dist/main.js') =>
  program(
    file,
    {
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      PERSON_RATE_LIMIT_PER_MINUTE: '1000000000',
      ...environment,
    },
    root,
  );

/** Runs a command of the admin program of a checkout, and returns its answer. */
const adminOf = (root, databaseUrl, args) =>
  JSON.parse(
    execFileSync(process.execPath, [join(root, 'dist/admin.js'), ...args, '--json'], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
      encoding: 'utf8',
    }),
  );

/** @returns {{ account: { id: string }, user: { id: string }, api_key: { key: string } }} */
export const account = (databaseUrl, plan, root = checkout) =>
  adminOf(root, databaseUrl, ['account', 'create', '--name', 'Benchmark', '--plan', plan]);
