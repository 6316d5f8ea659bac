// npm run mutation [-- group …]: creates mutants, runs the specs against each, and prints the percentage that they detect.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from '../../scripts/install.mjs';
import { groups } from './groups.mjs';

const require = createRequire(import.meta.url);
const { Client } = require('pg');
const { startEmbeddedPostgres } = require('../../build/platform/embedded-postgres/embedded-postgres.js');
const { migrate } = require('../../build/platform/schema/migrations.js');

const minScorePercent = 80;
const stryker = join(import.meta.dirname, 'node_modules/.bin/stryker');

const requestedGroups = process.argv.slice(2);
install('test/mutation');
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-mutation-'));
// If root runs this script, the server runs as another user, who must have access to the directory.
chmodSync(dataDir, 0o755);
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
const server = await startEmbeddedPostgres({ dataDir, settings });
const survivors = [];
let passed = true;
try {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE DATABASE signpost_template');
  await client.end();
  const template = new URL(server.url);
  template.pathname = '/signpost_template';
  await migrate(template.href);
  const all = [];
  for (const group of requestedGroups.length > 0 ? requestedGroups : Object.keys(groups)) {
    const began = Date.now();
    const mutants = groups[group].flatMap((_, part) => mutantsOf(`${group}.${part}`));
    passed = report(group, mutants, `${Math.round((Date.now() - began) / 1000)} s`) && passed;
    all.push(...mutants);
  }
  report('overall', all, '');
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
writeFileSync('reports/mutation/survivors.txt', survivors.join(''));
console.log('The survivors are in reports/mutation/survivors.txt.');
process.exitCode = passed ? 0 : 1;

function mutantsOf(part) {
  const { status } = spawnSync(stryker, ['run', 'test/mutation/stryker.config.mjs'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, MUTATION_PART: part, TEST_POSTGRES_URL: server.url },
  });
  if (status !== 0) throw new Error(`The mutation run of ${part} failed. Its specs must pass first.`);
  const { files } = JSON.parse(readFileSync(`reports/mutation/${part}.json`, 'utf8'));
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, lines: source.split('\n') })),
  );
}

function report(name, mutants, time) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const detected = count('Killed', 'Timeout', 'RuntimeError');
  const undetected = mutants.filter(({ status }) => ['Survived', 'NoCoverage'].includes(status));
  const score = (100 * detected) / (detected + undetected.length);
  console.log(
    `${name}: ${score.toFixed(1)} % of ${detected + undetected.length} mutants detected (${count('Timeout')} by timeout) ${time}`,
  );
  if (name !== 'overall')
    for (const { file, location, mutatorName, replacement, status, lines } of undetected) {
      const { start, end } = location;
      const original =
        start.line === end.line
          ? lines[start.line - 1].slice(start.column - 1, end.column - 1)
          : lines[start.line - 1].trim();
      survivors.push(
        `${status} ${file}:${start.line}:${start.column} ${mutatorName}\n  - ${original}\n  + ${(replacement ?? '').replaceAll('\n', ' ')}\n`,
      );
    }
  return score >= minScorePercent;
}
