import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmokeTest } from './smoke-test.mjs';

/** Both releases derive the same URLs, although their ports differ. */
const origins = { API_BASE_URL: 'http://localhost:3000', LINK_BASE_URL: 'http://localhost:3000' };

/**
 * Upgrades a database with data from the previous release, and goes back. The previous release is the latest tag. Before the
 * first tag, it is the last commit without the newest migration.
 */
export async function checkUpgrade(root) {
  const { commit, name } = previousRelease(root);
  if (!hasSchemaOf(root, commit)) return `none from ${name}: its schema has no migrations in common`;
  const folder = mkdtempSync(join(tmpdir(), 'signpost-previous-'));
  const programs = new Set();
  const start = async (release) => {
    const { service } = await import('../../benchmarks/programs.mjs');
    const program = await service(database.url, origins, release);
    programs.add(program);
    return program;
  };
  const stop = async (program) => {
    programs.delete(program);
    await program.stop();
  };
  let database;
  try {
    prepare(root, commit, folder);
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    // These helpers import the build.
    const { account, postgres } = await import('../../benchmarks/programs.mjs');
    database = await postgres();

    migrate(folder, database.url);
    const key = account(database.url, 'enterprise', folder).api_key.key;
    const previous = await start(folder);
    const before = await SmokeTest.create(previous.port, key, 'before');

    // The previous release serves while the schema is upgraded, and afterwards until its processes are replaced.
    const migrated = migrate(root, database.url);
    await before.isServedBy(previous.port);
    await SmokeTest.run(previous.port, key, 'during');

    const current = await start(root);
    await before.isServedBy(current.port);
    const after = await SmokeTest.create(current.port, key, 'after');
    await SmokeTest.run(current.port, key, 'current');
    await after.isServedBy(previous.port);
    await stop(current);

    // Rollback: the previous release starts again on the new schema.
    await stop(previous);
    const rolledBack = await start(folder);
    await before.isServedBy(rolledBack.port);
    await after.isServedBy(rolledBack.port);
    await SmokeTest.run(rolledBack.port, key, 'rollback');
    return `from ${name} and back, ${migrated} migrations`;
  } finally {
    await Promise.all([...programs].map(stop));
    await database?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Extracts, installs and builds a commit. */
function prepare(root, commit, folder) {
  const archive = join(folder, 'source.tar');
  git(root, 'archive', '--format=tar', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  // The compilers of the console are optional packages.
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  for (const command of [install, ['run', '--silent', 'build']])
    execFileSync('npm', command, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs the pending migrations of a release and returns their number. */
function migrate(release, url) {
  const output = execFileSync(process.execPath, [join(release, 'dist/migrate.js')], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    encoding: 'utf8',
  });
  return output.split('\n').filter((line) => line.startsWith('migrated ')).length;
}

/** @throws Error in a shallow clone, which lacks the previous release */
function previousRelease(root) {
  if (git(root, 'rev-parse', '--is-shallow-repository') === 'true')
    throw new Error('  - The clone is shallow. Fetch the whole history: git fetch --unshallow --tags');
  const tagged = git(root, 'tag', '--points-at', 'HEAD', 'v*').split('\n').filter(Boolean);
  const tags = git(root, 'tag', '--merged', 'HEAD', '--sort=-v:refname', 'v*').split('\n').filter(Boolean);
  const tag = tags.find((one) => !tagged.includes(one));
  if (tag !== undefined) return { commit: tag, name: tag };
  const newest = readdirSync(join(root, 'migrations')).sort().at(-1);
  const added = ['log', '--first-parent', '-m', '--diff-filter=A', '--format=%H', '-1', '--', `migrations/${newest}`];
  const adding = git(root, ...added);
  // A migration that is not committed yet is newer than the last commit.
  const commit = adding === '' ? 'HEAD' : `${adding}^`;
  return { commit, name: `${git(root, 'rev-parse', '--short', commit)}, which lacks ${newest}` };
}

/** Returns whether the commit has the first migration. Before the first tag, the schema may start anew. */
function hasSchemaOf(root, commit) {
  const [first] = readdirSync(join(root, 'migrations')).sort();
  return git(root, 'ls-tree', '--name-only', commit, `migrations/${first}`) !== '';
}

function git(root, ...command) {
  return execFileSync('git', command, { cwd: root, encoding: 'utf8' }).trim();
}
