// node scripts/tool.mjs NAME [argument …]: runs a linter or generator of tools/, which is installed when it is first used.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { install } from './install.mjs';

install('tools');
const [name, ...options] = process.argv.slice(2);
const programs = join(import.meta.dirname, '../tools/node_modules/.bin');
// Oxlint looks for its part with types on the path.
const env = { ...process.env, PATH: programs + delimiter + process.env.PATH };
const { status, error } = spawnSync(join(programs, name), options, { stdio: 'inherit', env });
if (error) console.error(`tools/ has no program ${name}. Add its package to tools/package.json.`);
process.exitCode = status ?? 1;
