// npm run bench:clicks compares redirects of one process with and without click recording, in interleaved pairs. The cases are a hot
// link, links at random, and user agents of real browsers. Each half with recording ends when no click is fresh, so that a click's cost
// includes its roll-up. Then visitors come for SUSTAINED seconds (60) at 70 % of the measured rate, to LINKS links (100,000) at random.
// SUSTAINED=300 is the long run, and RATE sets another number of visits per second. PAIRS=8 PAIR_SECONDS=5 by default.
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseCpu } from './database-cpu.mjs';
import { load, median } from './load.mjs';
import { account, postgres, service } from './programs.mjs';

const UserAgent = createRequire(import.meta.url)('user-agents');

const connections = 64;
const pairs = Number(process.env.PAIRS ?? 8);
const secondsPerHalf = Number(process.env.PAIR_SECONDS ?? 5);
const links = Number(process.env.LINKS ?? 100_000);
const sustainedSeconds = Number(process.env.SUSTAINED ?? 60);
const sustainedShare = 0.7;
const reportSeconds = 10;

const database = await postgres();
// The switch replaces methods of compiled modules, which the bundle contains under other names.
const switched = { NODE_OPTIONS: `--require "${join(import.meta.dirname, 'recording-switch.cjs')}"` };
const signpost = await service(database.url, switched, undefined, 'build/main.js');
const client = new pg.Client({ connectionString: database.url });
await client.connect();
const serverCpu = await databaseCpu(client);
const { account: owner, user } = account(database.url, 'enterprise');
const project = (
  await client.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id`,
    [owner.id, user.id],
  )
).rows[0].id;
await client.query(
  `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, ios_fallback_url)
   SELECT gen_random_uuid(), $1, 'Link ' || n, 'link-' || n, 'https://shop.example.com/product/' || n, 'https://m.example.com/p/' || n
   FROM generate_series(1, $2::int) n`,
  [project, links],
);
await client.query('VACUUM ANALYZE');

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const realAgents = new UserAgent();
const agents = Array.from({ length: 5000 }, () => realAgents.random().toString());
const anyOf = (values) => values[Math.floor(Math.random() * values.length)];
const anyLink = (of) => 1 + Math.floor(Math.random() * of);
const visit = (link, agent = chrome) =>
  `GET /link-${link} HTTP/1.1\r\nHost: bench.localhost\r\nUser-Agent: ${agent}\r\n\r\n`;
const cases = {
  'one hot link': () => visit(1),
  '10,000 links at random': () => visit(anyLink(10_000)),
  '10,000 links, real user agents': () => visit(anyLink(10_000), anyOf(agents)),
  [`${links.toLocaleString('en')} links at random`]: () => visit(anyLink(links)),
};

/** Real user agents get redirects for these links, because no app is set. */
const run = (request, seconds, perSecond) =>
  load({ ...signpost, expect: 302, connections, seconds, request, perSecond });

try {
  for (let link = 1; link <= links; link += 10_000) await run(visitsFrom(link, link + 10_000), 600);
  const rates = [];
  for (const [name, request] of Object.entries(cases)) rates.push(await compare(name, request));
  await sustain(Number(process.env.RATE ?? sustainedShare * rates.at(-1)));
} finally {
  await client.end();
  await signpost.stop();
  await database.stop();
}

/** Visits each link once, so that the process has them in memory. */
function visitsFrom(first, end) {
  return (n) => (first + n < Math.min(end, links + 1) ? visit(first + n) : null);
}

/** Returns the redirects per second with recording. */
async function compare(name, request) {
  const measured = [];
  for (let pair = 0; pair < pairs; pair++) {
    const halves = {};
    for (const half of pair % 2 ? ['with', 'without'] : ['without', 'with']) {
      process.kill(signpost.pid, half === 'with' ? 'SIGURG' : 'SIGUSR2');
      await run(request, 0.5);
      await rollUpAll();
      const before = serverCpu();
      const result = await run(request, secondsPerHalf);
      const during = serverCpu();
      await rollUpAll();
      const after = serverCpu();
      // The roll-up after the half would have taken this time from it.
      const seconds = result.requests / result.perSecond + (after - during) / 1e6 / cpus().length;
      halves[half] = {
        ...result,
        perSecond: result.requests / seconds,
        server: (after - before) / result.requests,
      };
    }
    measured.push(halves);
  }
  process.kill(signpost.pid, 'SIGURG');
  const ratio = (figure) => measured.map((halves) => halves.with[figure] / halves.without[figure]);
  const ratios = ratio('perSecond');
  const mean = ratios.reduce((sum, one) => sum + one, 0) / pairs;
  const error = Math.sqrt(ratios.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, pairs - 1) / pairs);
  const server = median(measured.map((halves) => halves.with.server - halves.without.server));
  const rate = median(measured.map((halves) => halves.with.perSecond));
  console.log(
    `${name}: ${rate.toFixed(0)}/s with recording and roll-ups, ${mean.toFixed(2)} of those without (median ${median(ratios).toFixed(2)}, standard error ${error.toFixed(2)}); CPU of the process ${median(ratio('cpu')).toFixed(2)}; PostgreSQL ${server.toFixed(1)} µs per click`,
  );
  return rate;
}

async function sustain(perSecond) {
  console.log(
    `${sustainedSeconds} s of ${perSecond.toFixed(0)} visits per second to ${links} links at random, real user agents:`,
  );
  const request = () => visit(anyLink(links), anyOf(agents));
  process.kill(signpost.pid, 'SIGUSR2');
  const cpuBefore = serverCpu();
  const quiet = await run(request, reportSeconds, perSecond);
  const withoutClicks = (serverCpu() - cpuBefore) / quiet.requests;
  process.kill(signpost.pid, 'SIGURG');
  console.log(`without recording p50 ${quiet.p50.toFixed(1)} ms  p99 ${quiet.p99.toFixed(1)} ms`);
  const canceled = () =>
    client.query(`SELECT xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()`);
  const before = {
    cpu: serverCpu(),
    wal: await walPosition(),
    rollbacks: (await canceled()).rows[0].count,
  };
  let visits = 0;
  let maxFresh = 0;
  for (let second = 0; second < sustainedSeconds; second += reportSeconds) {
    const part = await run(request, Math.min(reportSeconds, sustainedSeconds - second), perSecond);
    visits += part.requests;
    const fresh = await freshClicks();
    maxFresh = Math.max(maxFresh, fresh);
    console.log(
      `${String(second).padStart(4)} s  ${part.perSecond.toFixed(0)}/s  p50 ${part.p50.toFixed(1)} ms  p99 ${part.p99.toFixed(1)} ms  ${fresh} fresh clicks`,
    );
  }
  await rollUpAll();
  const cost = (serverCpu() - before.cpu) / visits;
  const wal = Number(((await walPosition()) - before.wal) / BigInt(visits));
  const rollbacks = (await canceled()).rows[0].count - before.rollbacks;
  console.log(
    `PostgreSQL per click, roll-ups included: ${(cost - withoutClicks).toFixed(1)} µs, and ${wal} bytes of write-ahead log. A visit without recording costs ${withoutClicks.toFixed(1)} µs.`,
  );
  console.log(`At most ${maxFresh} clicks were fresh; ${rollbacks} transactions failed.`);
}

async function freshClicks() {
  const { rows } = await client.query('SELECT coalesce(sum(clicks), 0)::int AS clicks FROM fresh_click_batches');
  return rows[0].clicks;
}

async function walPosition() {
  const { rows } = await client.query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes");
  return BigInt(rows[0].bytes);
}

/** Rolls up until no click is fresh and no row is due for a merge. The service may do a part of it. */
async function rollUpAll() {
  await sleep(1000);
  while ((await freshClicks()) > 0) {
    await client.query('SELECT roll_up_fresh_clicks(200000)');
    while ((await client.query('SELECT merge_clicks_by_link(200000, 16, 128, 0) AS elements')).rows[0].elements > 0);
  }
}
