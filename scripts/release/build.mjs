import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { refuse } from './findings.mjs';

const sources = [
  'src',
  'console',
  'clients',
  'scripts',
  // The pages for agents.
  'docs',
  'openapi.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Returns the SHA-256 of each file that the build writes. */
function hashesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

function build(root, folder) {
  mkdirSync(folder, { recursive: true });
  const filter = (path) => basename(path) !== 'node_modules';
  for (const source of sources) cpSync(join(root, source), join(folder, source), { recursive: true, filter });
  for (const packages of ['node_modules', 'console/node_modules'])
    symlinkSync(join(root, packages), join(folder, packages));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return hashesOf(join(folder, 'dist'));
}

/** Builds the service in two folders and compares every file. */
export function checkBuild(root) {
  const parent = mkdtempSync(join(tmpdir(), 'signpost-build-'));
  try {
    const one = build(root, join(parent, 'one'));
    const other = build(root, join(parent, 'a/deeper/folder'));
    const paths = [...new Set([...one.keys(), ...other.keys()])].sort();
    refuse(paths.filter((path) => one.get(path) !== other.get(path)).map((path) => `dist/${path} differs.`));
    const digest = createHash('sha256');
    for (const path of paths) digest.update(`${path} ${one.get(path)}\n`);
    return `${paths.length} files are equal, SHA-256 of all ${digest.digest('hex')}`;
  } finally {
    rmSync(parent, { recursive: true });
  }
}
