// npm run bench:size compares a database of 30,000,000 links with one of 1,000,000, in one run. Rounds of both databases alternate.
// It measures redirects, the management API, searches, vacuum, dump, restore, base backup, migrations and memory, and prints all indexes.
// SIZES=1000000,10000000 selects the sizes. A million links takes 1.1 GB of disk and a minute to fill. The restore takes as much again. With
// DATA_DIR, the filled databases stay there for the next run. CASES=redirect,vacuum runs only the cases whose names begin with one of these words.
// RECORD_CLICKS=false leaves out the clicks of the visits. With SHARED_BUFFERS=12GB, the tables of redirects are read into them. PostgreSQL uses
// huge pages if they are reserved: sysctl -w vm.nr_hugepages=6350
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseCpu } from './database-cpu.mjs';
import { median } from './load.mjs';
import { service } from './programs.mjs';
import { maintenance, relationSizes } from './size-maintenance.mjs';
import { requests } from './size-requests.mjs';
import { residentMegabytes, visitAll, visits } from './size-visits.mjs';
import { storedLinks } from './stored-links.mjs';

const quick = process.env.QUICK === '1';
const sizes = (process.env.SIZES ?? (quick ? '20000,60000' : '1000000,30000000')).split(',').map(Number);
const rounds = Number(process.env.ROUNDS ?? 5);
const selected = process.env.CASES?.split(',') ?? [''];
const wantedRatio = 1.3;

const folder = process.env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'signpost-bench-size-'));
const sides = [];
try {
  for (const links of sizes) sides.push(await open(links));
  for (const { links, startMs } of sides)
    console.log(`${thousands(links)} links: started in ${startMs.toFixed(0)} ms, schema checked`);
  for (const side of sides) await prewarm(side);
  const [{ huge_pages_status: hugePages }] = await sides.at(-1).sql('SHOW huge_pages_status');
  console.log(
    `load of the machine ${loadavg()[0].toFixed(1)}, huge pages ${hugePages}; medians of ${rounds} rounds, and the fastest of lists and searches`,
  );
  const cases = { ...visits(), ...requests(), ...maintenance() };
  for (const [name, measure] of Object.entries(cases))
    if (selected.some((word) => name.startsWith(word))) await compare(name, measure);
  if (selected.some((word) => 'memory'.startsWith(word))) {
    for (const side of sides) await visitAll(side, Math.min(side.links, 100_000));
    report('memory of the service after 100,000 visited links', 'MB', sides.map(residentMegabytes), sides);
    for (const side of sides) await relationSizes(side);
  }
} finally {
  for (const side of sides) await side.close();
  if (!process.env.DATA_DIR) rmSync(folder, { recursive: true, force: true });
}

/** Starts PostgreSQL and the service on a database of so many links. */
async function open(links) {
  const database = await storedLinks(folder, links);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const sql = async (text, values) => (await client.query(text, values)).rows;
  await sql('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const [project] = await sql('SELECT id, apps[1] AS app FROM bench_projects WHERE number = 0');
  const startedAt = performance.now();
  const signpost = await service(database.url, { RECORD_CLICKS: process.env.RECORD_CLICKS ?? 'true' });
  const startMs = performance.now() - startedAt;
  return {
    ...{ links, startMs, sql, key: database.key, url: database.url, project: project.id, app: project.app },
    ...{ port: signpost.port, pid: signpost.pid, cpuOfDatabase: await databaseCpu(client) },
    close: async () => {
      await client.end();
      await signpost.stop();
      await database.stop();
    },
  };
}

/** Reads the tables of redirects, so that they are in memory as far as it suffices. */
async function prewarm({ sql }) {
  await sql('CREATE EXTENSION IF NOT EXISTS pg_prewarm');
  for (const name of ['dynamic_links', 'dynamic_links_pkey', 'link_paths', 'link_paths_one_namespace'])
    await sql('SELECT pg_prewarm($1::regclass, $2)', [name, process.env.SHARED_BUFFERS ? 'buffer' : 'read']);
}

/** Runs a case with each size in turn. A case returns figures by unit; the first round warms up, if the case has more than one. */
async function compare(
  name,
  { measure, rounds: own = rounds, pick = median, prepare = async () => {}, finish = async () => {} },
) {
  const results = sides.map(() => []);
  for (const side of sides) await prepare(side);
  for (let round = own === 1 ? 1 : 0; round <= own; round++)
    for (const at of round % 2 ? sides.keys() : [...sides.keys()].reverse()) {
      const result = await measure(sides[at], round);
      if (round > 0) results[at].push(result);
    }
  for (const side of sides) await finish(side);
  for (const unit of Object.keys(results[0][0]))
    report(
      name,
      unit,
      results.map((ofSide) => pick(ofSide.map((result) => result[unit]))),
      sides,
    );
}

/** Prints the figure of each size, and its ratio to that of the first. */
function report(name, unit, figures) {
  const columns = figures.map((figure, at) => `${thousands(sides[at].links)}: ${digits(figure)}`);
  // Where more is better, the ratio is that of the time per request.
  const ratio = unit === 'per second' ? figures[0] / figures.at(-1) : figures.at(-1) / figures[0];
  const verdict = Number.isFinite(ratio) ? `ratio ${ratio.toFixed(2)}${ratio > wantedRatio ? ' !' : ''}` : '';
  console.log(`${name.padEnd(44)} ${unit.padEnd(18)} ${columns.join('   ')}   ${verdict}`);
}

function digits(figure) {
  return figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2);
}

function thousands(number) {
  return number.toLocaleString('en');
}
