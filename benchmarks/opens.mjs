// npm run bench:opens: visits while apps open links, against visits alone and against visits beside as many further visits, in turn.
// Prints the median p99 of 300 visits a second for each, and its ratio to visits alone. OPENS=2000 a second, ROUNDS=5, SECONDS=6 by default.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { load } from './load.mjs';
import { account, postgres, service } from './programs.mjs';

const perSecond = Number(process.env.OPENS ?? 2000);
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 6);
const links = 1000;
const pathOf = (n) => `/link-${1 + ((n * 7919) % links)}`;

const visit = (n) =>
  `GET ${pathOf(n)} HTTP/1.1\r\nHost: bench.localhost\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n\r\n`;

/** Each open has another id, and comes from another network, because a network may send some hundred a minute. */
function open(n) {
  const body = JSON.stringify({
    url: `https://bench.localhost${pathOf(n)}`,
    app: { bundle_id: 'com.example.shop', version: '3.2.1' },
    open_id: randomBytes(16).toString('base64url'),
  });
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  return `POST /links/open HTTP/1.1\r\nHost: bench.localhost\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const loads = { opens: { request: open, expect: 200 }, visits: { request: visit, expect: 302 } };

if (process.send) {
  const [name, port, pid] = process.argv.slice(2);
  // An open is answered once it is stored, with others of 50 ms.
  const plan = { port: Number(port), pid: Number(pid), connections: 200, seconds: seconds + 2, perSecond };
  process.send(await load({ ...plan, ...loads[name] }));
  process.disconnect();
} else {
  const server = await postgres();
  const program = await service(server.url, { TRUSTED_PROXIES: '127.0.0.1' });
  try {
    await fill(server.url);
    await load({ ...program, connections: 16, seconds: 3, ...loads.visits }); // warms up
    await compare(program);
  } finally {
    await program.stop();
    await server.stop();
  }
}

async function fill(url) {
  const { account: owner, user } = account(url, 'enterprise');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `WITH project AS (INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id)
     INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url)
     SELECT gen_random_uuid(), id, 'Link ' || n, 'link-' || n, 'https://shop.example.com/' || n FROM project, generate_series(1, ${links}) n`,
    [owner.id, user.id],
  );
  await client.end();
}

async function compare(program) {
  const p99 = { alone: [], opens: [], visits: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(p99)) p99[name].push(await measure(program, name));
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const alone = median(p99.alone);
  for (const [name, values] of Object.entries(p99)) {
    const beside = name === 'alone' ? 'visits alone' : `beside ${perSecond} ${name}/s`;
    console.log(
      `${beside.padEnd(24)} p99 ${median(values).toFixed(1)} ms, ${(median(values) / alone).toFixed(2)} of alone`,
    );
  }
}

/** Measures visits, beside another process that sends a load. */
async function measure(program, name) {
  const plan = { ...program, connections: 16, seconds, perSecond: 300, ...loads.visits };
  if (name === 'alone') return (await load(plan)).p99;
  const other = fork(import.meta.filename, [name, program.port, program.pid]);
  const answered = once(other, 'message');
  const { p99 } = await load(plan);
  const [{ perSecond: sent }] = await answered;
  if (sent < perSecond * 0.9) console.log(`only ${sent.toFixed(0)} ${name} a second were sent`);
  return p99;
}
