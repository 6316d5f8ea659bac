// npm run build:console: builds the console into dist/console, unless nothing has changed since the last build.
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const inputs = ['console', 'docs', 'clients/typescript/src', 'openapi.json', 'package-lock.json'];
const sharedWithService = ['src/link-paths/paths', 'src/links/qr-codes'];
const output = join(root, 'dist/console');

const newest = (path) => {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // A folder changes when a file in it is added or removed.
  const inside = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist');
  return Math.max(stats.mtimeMs, ...inside.map((name) => newest(join(path, name))));
};

const builtAt = statSync(join(output, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
if ([...inputs, ...sharedWithService].some((input) => newest(join(root, input)) > builtAt)) {
  // Programs may read the old files meanwhile.
  const outDir = join(root, `dist/.console-${process.pid}`);
  await build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir } });
  rmSync(output, { recursive: true, force: true });
  renameSync(outDir, output);
}
