// npm run bench:traffic compares redirects with three baselines, interleaved in one run. The baselines are a bare node:http server,
// node:http with a named query, and Express with that query.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { load, median } from './load.mjs';
import { account, postgres, program, service } from './programs.mjs';

const connections = 64;
const rounds = Number(process.env.ROUNDS ?? 3);
const secondsPerRound = Number(process.env.SECONDS ?? 4);
const stored = Number(process.env.LINKS ?? 1_000_000);
const warm = 10_000;

const database = await postgres();
const signpost = await service(database.url);
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
  Signpost: signpost,
};

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const visit = (link) => `GET /link-${link} HTTP/1.1\r\nHost: bench.localhost\r\nUser-Agent: ${userAgent}\r\n\r\n`;
/** Counts cold requests. All sides visit the same sequence, spread over all links, because 611,953 is coprime to their number. */
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
/** Returns the resident set size in megabytes. */
const residentMegabytes = ({ pid }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1000;

try {
  console.log(`${connections} connections, ${rounds} rounds of ${secondsPerRound} s each side; medians`);
  await visitAll(warm, signpost);
  const results = {};
  for (const [name, request] of Object.entries(cases)) {
    const measured = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
    for (let round = 0; round <= rounds; round++)
      for (const side of Object.keys(sides)) {
        const result = await run(sides[side], request, round === 0 ? 1 : secondsPerRound);
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
  await visitAll(Math.min(stored, 100_000), signpost);
  console.log(`resident with ${stored} links stored and 100,000 visited: ${residentMegabytes(signpost).toFixed(0)} MB`);
} finally {
  await client.end();
  for (const side of Object.values(sides)) await side.stop();
  await database.stop();
}

/** Visits the first `links` links once. */
async function visitAll(links, { port, pid }) {
  const request = (n) => (n < links ? visit(1 + n) : null);
  await load({ port, pid, expect: 302, connections, seconds: 120, request });
}
