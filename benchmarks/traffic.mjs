// npm run bench:traffic: redirects, with every click recorded and without, against a bare node:http server, one with a named look-up,
// and Express with it, interleaved in one run.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { load, median } from './load.mjs';
import { account, postgres, program, service } from './programs.mjs';

const connections = 64;
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 4);
const stored = Number(process.env.LINKS ?? 1_000_000);
const pairs = Number(process.env.PAIRS ?? 16);
const warm = 10_000;

const database = await postgres();
const ours = await service(database.url);
const withoutClicks = await service(database.url, { RECORD_CLICKS: 'false', MIGRATE_ON_START: 'false' });
const { account: owner, user } = account(database.url, 'enterprise');
const client = new pg.Client({ connectionString: database.url });
await client.connect();
const project = (
  await client.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id`,
    [owner.id, user.id],
  )
).rows[0].id;
console.log(`loading ${stored} links …`);
for (let from = 1; from <= stored; from += 100_000)
  await client.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, ios_fallback_url)
     SELECT gen_random_uuid(), $1, 'Link ' || n, 'link-' || n, 'https://shop.example.com/product/' || n, 'https://m.example.com/p/' || n
     FROM generate_series($2::int, $3::int) n`,
    [project, from, Math.min(stored, from + 99_999)],
  );
await client.query('VACUUM ANALYZE');

const baseline = (name) =>
  program('benchmarks/traffic-baseline.mjs', { DATABASE_URL: database.url, PROJECT_ID: project, BASELINE: name });
const sides = {
  'node:http': await baseline('constant'),
  'node:http, look-up': await baseline('lookup'),
  'Express, look-up': await baseline('express'),
  Signpost: ours,
};

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const visit = (link) => `GET /link-${link} HTTP/1.1\r\nHost: bench.localhost\r\nUser-Agent: ${userAgent}\r\n\r\n`;
/** The same for every side, and spread over all links: 611,953 has no divisor in common with the number of links. */
let cold = 0;
const cases = {
  'one hot link': () => visit(1),
  '10,000 random, warm': () => visit(1 + Math.floor(Math.random() * warm)),
  'cold, each a new link': () => visit(1 + (((warm + cold++) * 611_953) % stored)),
};
const wanted = [
  ['one hot link', 'node:http'],
  ['10,000 random, warm', 'node:http'],
  ['cold, each a new link', 'node:http, look-up'],
];

const run = ({ port, pid }, request, duration) =>
  load({ port, pid, expect: 302, connections, seconds: duration, request });
/** Megabytes, by `/proc`. */
const resident = ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1000;

try {
  console.log(`${connections} connections, ${rounds} rounds of ${seconds} s each side; medians`);
  await visitAll(warm, ours);
  await visitAll(warm, withoutClicks);
  const results = {};
  for (const [name, request] of Object.entries(cases)) {
    await summedUp();
    const measured = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
    for (let round = 0; round <= rounds; round++)
      for (const side of Object.keys(sides)) {
        const result = await run(sides[side], request, round === 0 ? 1 : seconds);
        if (round > 0) measured[side].push(result);
      }
    const of = (side, figure) => median(measured[side].map((result) => result[figure]));
    results[name] = of;
    for (const side of Object.keys(sides))
      console.log(
        `${name.padEnd(22)} ${side.padEnd(19)} ${of(side, 'perSecond').toFixed(0).padStart(6)}/s  p50 ${of(side, 'p50').toFixed(1)} ms  p99 ${of(side, 'p99').toFixed(1)} ms  CPU ${of(side, 'cpu').toFixed(0)} µs  ratio ${(of('Signpost', 'perSecond') / of(side, 'perSecond')).toFixed(2)}`,
      );
  }
  for (const [name, side] of wanted) {
    const of = results[name];
    console.log(`${name}: ${(of('Signpost', 'perSecond') / of(side, 'perSecond')).toFixed(2)} of ${side}`);
  }
  const hot = results['one hot link'];
  console.log(
    `p99 of one hot link: ${(hot('Signpost', 'p99') / hot('node:http', 'p99')).toFixed(2)} times node:http's`,
  );
  for (const name of ['one hot link', '10,000 random, warm']) {
    await summedUp();
    const [throughput, cpu] = await costOfClicks(cases[name]);
    console.log(`${name}: ${throughput.toFixed(2)} of the throughput without clicks, ${cpu.toFixed(2)} times the CPU`);
  }
  await visitAll(Math.min(stored, 100_000), ours);
  console.log(`resident with ${stored} links stored and 100,000 visited: ${resident(ours).toFixed(0)} MB`);
} finally {
  await client.end();
  for (const side of [...Object.values(sides), withoutClicks]) await side.stop();
  await database.stop();
}

/**
 * Pair by pair, the first of which is the other one each time: what else the machine does, it does to both. Clicks of the last
 * half second are written before the other one begins.
 */
async function costOfClicks(request) {
  const throughput = [];
  const cpu = [];
  for (let pair = 0; pair < pairs; pair++) {
    const measured = new Map();
    for (const side of pair % 2 ? [ours, withoutClicks] : [withoutClicks, ours]) {
      measured.set(side, await run(side, request, 2));
      await sleep(600);
    }
    throughput.push(measured.get(ours).perSecond / measured.get(withoutClicks).perSecond);
    cpu.push(measured.get(ours).cpu / measured.get(withoutClicks).cpu);
  }
  return [median(throughput), median(cpu)];
}

/** Until the clicks of one case are summed up, which would else be on the bill of the next. */
async function summedUp() {
  await sleep(1000);
  while ((await client.query('SELECT FROM fresh_click_batches LIMIT 1')).rowCount > 0) await sleep(1000);
}

/** Visits the first so many links once. */
async function visitAll(links, { port, pid }) {
  const request = (n) => (n < links ? visit(1 + n) : null);
  await load({ port, pid, expect: 302, connections, seconds: 120, request });
}
