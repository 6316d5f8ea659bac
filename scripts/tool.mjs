// node scripts/tool.mjs NAME [argument …]: runs a linter or generator of tools/, which is installed when it is first used.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install } from './install.mjs';

install('tools');
const [name, ...options] = process.argv.slice(2);
const { status, error } = spawnSync(join(import.meta.dirname, '../tools/node_modules/.bin', name), options, {
  stdio: 'inherit',
});
if (error) console.error(`tools/ has no program ${name}. Add its package to tools/package.json.`);
process.exitCode = status ?? 1;
