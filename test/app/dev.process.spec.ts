import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from '../support/eventually';
import { childrenOf, isAlive } from '../support/running-processes';
import { aTemporaryFolder } from '../support/temporary-folder';

const root = resolve(__dirname, '../..');
const started: ChildProcess[] = [];
afterAll(() => started.forEach((one) => one.kill('SIGKILL')));
const folder = aTemporaryFolder();

/** Runs `npm run dev` until the service listens. */
async function develop(): Promise<{ process: ChildProcess; listens(times: number): Promise<void> }> {
  const env = { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1' };
  const child = spawn(process.execPath, ['scripts/dev.mjs'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const listens = (times: number) => until(() => output.split('"message":"listening"').length > times);
  await listens(1);
  return { process: child, listens };
}

const childOf = (dev: ChildProcess, program: string): number =>
  childrenOf(dev.pid!).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program))!;

test('restarts the service after a change of a source, beside the same PostgreSQL, and ends all of them', async () => {
  const dev = await develop();
  const service = childOf(dev.process, 'dev-service');
  const server = childOf(dev.process, 'postgres');
  const now = new Date();
  utimesSync(join(root, 'src/main.ts'), now, now);
  await dev.listens(2);
  expect([service, server].map(isAlive)).toEqual([false, true]);
  const children = childrenOf(dev.process.pid!);
  dev.process.kill('SIGTERM');
  expect(await once(dev.process, 'exit')).toEqual([0, null]);
  await until(() => ![...children, server].some(isAlive));
});

test('leaves no process behind if it is killed', async () => {
  const dev = await develop();
  const left = childrenOf(dev.process.pid!);
  dev.process.kill('SIGKILL');
  await until(() => !left.some(isAlive));
});
