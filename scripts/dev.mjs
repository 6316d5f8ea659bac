// npm run dev [-- --inspect]: serves the API and the console, and each change of a source within two seconds. The service runs the sources of
// `src` without a build. The next process of it has its packages loaded already, and waits. PostgreSQL continues to run between them.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { serveConsole } from '../console/dev.mjs';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
require('../test/support/jest/typescript.cjs');
const { readConfig } = require('../src/app/settings/config.ts');
const { openDatabase } = require('../src/platform/schema/open-database.ts');
const { Log } = require('../src/platform/observability/log.ts');

const isDebugged = process.argv.includes('--inspect');
const env = { ...process.env, ...(isDebugged && { DEV_INSPECT: '9229' }) };
const noOutput = ['--noEmit', '--tsBuildInfoFile', 'build/.dev.tsbuildinfo', '--pretty'];
const say = (line) => console.log(`dev: ${line}`);

/** Runs a program of Node beside the service, which comes first. */
function runBeside(...args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  setPriority(child.pid, 10);
  return child;
}

/** Starts a process that loads packages, and the service after a line on stdin. It ends with its stdin. */
function prepare() {
  const child = spawn(process.execPath, ['scripts/dev-service.cjs'], {
    cwd: root,
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
    // Ctrl-C reaches this process only, which then stops the service.
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  void ended.then(
    () => child === service && !isStopping && say('the service has ended. Change a source to start it again.'),
  );
  return Object.assign(child, { ended });
}

let isStopping = false;
let service;
let next;
let types;
let afterStart;

async function stopService() {
  service?.stdin.end();
  const old = service;
  service = undefined;
  await old?.ended;
}

async function restart() {
  await stopService();
  if (isStopping) return;
  types?.kill();
  clearTimeout(afterStart);
  service = next ?? prepare();
  service.stdin.write('start\n');
  next = undefined;
  // The start comes first.
  afterStart = setTimeout(() => {
    next = prepare();
    types = runBeside('node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json', ...noOutput);
  }, 2000);
}

/** Returns the time of the last change in a folder. Watchers of Node miss files that an editor replaces. */
function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
const lastChange = () => Math.max(...['src', 'migrations'].map((folder) => newest(join(root, folder))));

const config = readConfig();
const database = await openDatabase(config, new Log('warn'));
const closeConsole = await serveConsole(config.port);
if (!existsSync(join(root, 'dist/console/index.html'))) runBeside('console/build.mjs');

// Vite would end the process before the service has stopped.
process.removeAllListeners('SIGTERM');
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    isStopping = true;
    clearTimeout(afterStart);
    types?.kill();
    next?.stdin.end();
    await Promise.all([stopService(), next?.ended, closeConsole()]);
    await database.close();
    process.exit();
  });
if (isDebugged) say('attach a debugger to port 9229');

for (let served = 0; !isStopping; await delay(100)) {
  const changedAt = lastChange();
  if (changedAt > served) await restart();
  served = changedAt;
}
