// npm run bench:traffic compares visits with three baselines, interleaved in one run. The baselines are a bare node:http server,
// node:http with a named query, and Express with that query.
// CASES=query,mixed runs only the cases whose names begin with one of these words.
import { readFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import pg from 'pg';
import { load, median } from './load.mjs';
import { account, postgres, program, service } from './programs.mjs';
import { userAgents } from './user-agents.mjs';

const connections = 64;
const rounds = Number(process.env.ROUNDS ?? 7);
const secondsPerRound = Number(process.env.SECONDS ?? 2);
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
await client.query(
  `INSERT INTO dynamic_links (id, project_id, name, custom_path) VALUES (gen_random_uuid(), $1, 'Landing', 'landing')`,
  [project],
);
await client.query('VACUUM ANALYZE');

const landingPage = await pageOf('/landing');
const baseline = (name) =>
  program('benchmarks/traffic-baseline.mjs', {
    DATABASE_URL: database.url,
    PROJECT_ID: project,
    BASELINE: name,
    PAGE: landingPage,
  });
const sides = {
  'node:http': await baseline('constant'),
  'node:http, look-up': await baseline('lookup'),
  'Express, look-up': await baseline('express'),
  Signpost: signpost,
};

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const get = (path, agent = userAgent) =>
  `GET /${path} HTTP/1.1\r\nHost: bench.localhost\r\nUser-Agent: ${agent}\r\n\r\n`;
const visit = (link) => get(`link-${link}`);
const anyOf = (count) => Math.floor(Math.random() * count);
/** Returns a query as advertisements send it. The click id differs for each visitor. */
const campaign = () =>
  `utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale&gclid=${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
/** Counts cold requests. All sides visit the same sequence, spread over all links, because 611,953 is coprime to their number. */
let cold = 0;
/** Each case is compared with the side `against`; `wanted` is the least ratio of its throughput. */
const cases = {
  'one hot link': { request: () => visit(1), against: 'node:http', wanted: 0.85 },
  'query string': { request: () => get(`link-1?${campaign()}`), against: 'node:http', wanted: 0.8 },
  'mixed user agents': {
    request: () => get('link-1', userAgents[anyOf(userAgents.length)]),
    against: 'node:http',
    wanted: 0.65,
  },
  'new user agents': {
    request: () => get('link-1', userAgents[anyOf(userAgents.length)].replace(/\)/, `; Build/${Math.random()})`)),
    against: 'node:http',
  },
  '10,000 random, warm': { request: () => visit(1 + anyOf(warm)), against: 'node:http', wanted: 0.7 },
  '100,000 random, warm': { request: () => visit(1 + anyOf(Math.min(stored, 100_000))), against: 'node:http' },
  'landing page': { request: () => get('landing'), expect: 200, against: 'node:http', wanted: 0.5 },
  'cold, each a new link': {
    request: () => visit(1 + (((warm + cold++) * 611_953) % stored)),
    against: 'node:http, look-up',
    wanted: 2,
  },
  'unknown paths': {
    request: () => get(`unknown-${Math.random().toString(36).slice(2)}`),
    expect: 404,
    against: 'node:http, look-up',
    wanted: 2,
  },
};
const selected = Object.entries(cases).filter(
  ([name]) => !process.env.CASES || process.env.CASES.split(',').some((part) => name.startsWith(part)),
);

const run = ({ port, pid }, { request, expect = 302 }, duration) =>
  load({ port, pid, expect, connections, seconds: duration, request });
/** Returns the resident set size in megabytes. */
const residentMegabytes = ({ pid }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1000;

try {
  console.log(`${connections} connections, ${rounds} rounds of ${secondsPerRound} s each side; medians`);
  await visitAll(warm, signpost);
  const results = {};
  for (const [name, oneCase] of selected) {
    if (name.startsWith('100,000')) await visitAll(Math.min(stored, 100_000), signpost);
    const compared = oneCase.against === 'node:http' ? ['node:http', 'Signpost'] : Object.keys(sides).slice(1);
    const measured = Object.fromEntries(compared.map((side) => [side, []]));
    for (let round = 0; round <= rounds; round++)
      for (const side of compared) {
        const result = await run(sides[side], oneCase, round === 0 ? 1 : secondsPerRound);
        if (round > 0) measured[side].push(result);
      }
    const of = (side, figure) => median(measured[side].map((result) => result[figure]));
    const ratio = (side, figure) =>
      median(measured.Signpost.map((result, round) => result[figure] / measured[side][round][figure]));
    results[name] = { ratio };
    for (const side of compared)
      console.log(
        `${name.padEnd(22)} ${side.padEnd(19)} ${of(side, 'perSecond').toFixed(0).padStart(6)}/s  p50 ${of(side, 'p50').toFixed(1)} ms  p99 ${of(side, 'p99').toFixed(1)} ms  CPU ${of(side, 'cpu').toFixed(0)} µs  ratio ${ratio(side, 'perSecond').toFixed(2)}`,
      );
  }
  for (const [name, { against, wanted }] of selected) {
    const ratio = (figure) => results[name].ratio(against, figure).toFixed(2);
    console.log(
      `${name}: ${ratio('perSecond')} of ${against}${wanted ? ` (wanted ${wanted})` : ''}, CPU ${ratio('cpu')} times, p99 ${ratio('p99')} times`,
    );
  }
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

/** Returns the page at a path of the link host. The global `fetch` cannot set the `Host` header. */
function pageOf(path) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: signpost.port, path, headers: { Host: 'bench.localhost' } };
    httpGet(options, async (response) => resolve(Buffer.concat(await response.toArray()).toString())).on(
      'error',
      reject,
    );
  });
}
