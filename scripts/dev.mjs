// npm run dev: compiles, bundles and restarts the service after a change of src, and rebuilds the console after a change of it.
import { spawn } from 'node:child_process';
import { statSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const options = { cwd: root, stdio: 'inherit' };
const compile = ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'];
let service;
let stopping = false;

/** Runs a program of Node to its end. Returns false if it failed. */
const run = (...args) =>
  new Promise((resolve) => spawn(process.execPath, args, options).once('exit', (code) => resolve(code === 0)));

async function stopService() {
  const old = service;
  service = undefined;
  if (!old || old.exitCode !== null || old.signalCode !== null) return;
  // The service stops its embedded PostgreSQL, so it is never killed.
  const ended = new Promise((resolve) => old.once('exit', resolve));
  old.kill('SIGTERM');
  await ended;
}

async function restart() {
  if (!(await run(...compile)) || !(await run('scripts/bundle.mjs')) || stopping) return;
  await stopService();
  if (!stopping) service = spawn(process.execPath, ['dist/main.js'], { ...options, detached: true });
}

const newest = (path) => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  const inside = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist');
  return Math.max(stats.mtimeMs, ...inside.map((name) => newest(join(path, name))));
};
const changeOf = (...paths) => Math.max(...paths.map((path) => newest(join(root, path))));

const stop = async () => {
  stopping = true;
  await stopService();
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

let ofService = 0;
let ofConsole = 0;
while (!stopping) {
  const console_ = changeOf('console', 'clients/typescript/src');
  if (console_ > ofConsole) await run('console/build.mjs');
  ofConsole = console_;
  const source = changeOf('src');
  if (source > ofService) await restart();
  ofService = source;
  await new Promise((resolve) => setTimeout(resolve, 200));
}
