// npm run bench:compare -- FOLDER: this checkout against another one that is built, such as the release before, pair by pair in one run.
// Prints for each case the mean ratio of requests per second and of CPU time, with its standard error. PAIRS=20 SECONDS=2 by default.
// CASES=visit,list runs only the cases whose names contain one of these words.
import { resolve } from 'node:path';
import pg from 'pg';
import { load } from './load.mjs';
import { account, checkout, postgres, service } from './programs.mjs';

const other = process.argv[2];
if (other === undefined)
  throw new Error('Usage: npm run bench:compare -- FOLDER. Name the folder of another built checkout.');
const pairs = Number(process.env.PAIRS ?? 20);
const seconds = Number(process.env.SECONDS ?? 2);
const words = process.env.CASES?.split(',') ?? [''];
const links = 20_000;

const server = await postgres();
const sides = [];
try {
  for (const root of [checkout, resolve(other)]) sides.push(await sideOf(root, `bench_${sides.length}`));
  console.log(`${pairs} pairs of ${seconds} s; ratios: this checkout to ${other}`);
  for (const name of Object.keys(sides[0].cases).filter((name) => words.some((word) => name.includes(word))))
    await compare(name);
} finally {
  for (const { program } of sides) await program.stop();
  await server.stop();
}

/** Starts the service of a checkout on a database of the shared server, and loads links. */
async function sideOf(root, database) {
  await query(server.url, `CREATE DATABASE ${database}`);
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  const program = await service(url.href, {}, root);
  const { api_key: key, account: owner, user } = account(url.href, 'enterprise', root);
  const [project] = await query(
    url.href,
    `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id`,
    [owner.id, user.id],
  );
  const ids = await query(
    url.href,
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url)
     SELECT gen_random_uuid(), $1, 'Link ' || n, 'link-' || n, 'https://shop.example.com/product/' || n FROM generate_series(1, $2::int) n RETURNING id`,
    [project.id, links],
  );
  await query(url.href, 'VACUUM ANALYZE');
  return { program, cases: casesOf(key.key, project.id, ids) };
}

async function query(url, sql, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql, values);
  await client.end();
  return rows;
}

function casesOf(key, project, ids) {
  const visit = (n) =>
    `GET /link-${n} HTTP/1.1\r\nHost: bench.localhost\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n\r\n`;
  const call = (method, path, rest = '\r\n') =>
    `${method} /api/v1/projects/${project}/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${rest}`;
  const json = (body) => `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const created = json(JSON.stringify({ name: 'A link', desktop_url: 'https://example.com/some/page' }));
  // A new name each time, because an update that changes nothing writes nothing.
  const updated = (n) => json(JSON.stringify({ name: `Name ${n}`, desktop_url: 'https://example.com/another/page' }));
  const idOf = (n) => ids[n % ids.length].id;
  return {
    'visit one link': { expect: 302, connections: 64, request: () => visit(1) },
    'visit 20,000 links': { expect: 302, connections: 64, request: (n) => visit(1 + ((n * 7919) % links)) },
    'get a link': { expect: 200, connections: 16, request: (n) => call('GET', `links/${idOf(n)}`) },
    'list ten links': { expect: 200, connections: 16, request: () => call('GET', 'links') },
    'create a link': { expect: 201, connections: 16, request: () => call('POST', 'links', created) },
    'update a link': { expect: 200, connections: 16, request: (n) => call('PUT', `links/${idOf(n)}`, updated(n)) },
  };
}

/** Alternates which side goes first, so that a drift of the machine meets both sides alike. */
async function compare(name) {
  const ratios = { perSecond: [], cpu: [] };
  for (let pair = -1; pair < pairs; pair++) {
    const results = [];
    for (const side of pair % 2 ? [0, 1] : [1, 0]) {
      const { program, cases } = sides[side];
      results[side] = await load({ ...program, ...cases[name], seconds });
    }
    if (pair < 0) continue; // warms both up
    for (const figure of Object.keys(ratios)) ratios[figure].push(results[0][figure] / results[1][figure]);
  }
  const [speed, cpu] = Object.values(ratios).map(summary);
  console.log(`${name.padEnd(20)} requests ${speed}   CPU per request ${cpu}`);
}

function summary(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return `${mean.toFixed(3)} ± ${Math.sqrt(variance / values.length).toFixed(3)}`;
}
