// npm run bench:imports imports a CSV file of Firebase Dynamic Links: upload, dry run and run. It prints the times, the memory of the
// process, and how long visitors wait meanwhile, compared with the quiet times before and after. ROWS sets the size. KILLS kills the
// process so many times during the run and starts another one; at the end, each row must have one link. With SPLIT=1, visits go to a
// process of ROLE=traffic, and imports to one of ROLE=api.
import { execFileSync } from 'node:child_process';
import http from 'node:http';
import { createReadStream, createWriteStream, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { account, postgres, service } from './programs.mjs';

const rows = Number(process.env.ROWS ?? (process.env.QUICK === '1' ? 5000 : 100_000));
const kills = Number(process.env.KILLS ?? 0);
const visitsPerSecond = 200;

/** The time before the import, and again after it, in which only visits arrive. */
const quietMs = 15_000;

// Visits are measured in this process, so that the file is made before.
const file = join(tmpdir(), `signpost-bench-${process.pid}.csv`);
await pipeline(Readable.from(csv()), createWriteStream(file));

const database = await postgres();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
await yieldProcessor(client);
const split = process.env.SPLIT === '1';
const start = () => service(database.url, split ? { ROLE: 'api' } : {});
let signpost = await start();
const traffic = split ? await service(database.url, { ROLE: 'traffic' }) : null;
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
let visiting = true;
let memory = 0;
try {
  const { api_key: key, account: owner, user } = account(database.url, 'enterprise');
  const { rows: made } = await client.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id`,
    [owner.id, user.id],
  );
  const imports = `/api/v1/projects/${made[0].id}/imports`;
  const headers = { Authorization: `Bearer ${key.key}` };
  const ask = async (method, path) => JSON.parse((await request({ method, path, headers })).text).data;
  await request(
    {
      method: 'POST',
      path: `/api/v1/projects/${made[0].id}/links`,
      headers: { ...headers, 'Content-Type': 'application/json' },
    },
    Readable.from([JSON.stringify({ name: 'Visited', custom_path: 'visited', desktop_url: 'https://example.com/' })]),
  );
  const waits = { quiet: [], upload: [], checking: [], running: [] };
  let phase = 'quiet';
  const visits = visit(() => waits[phase]);
  const watch = watchMemory();
  await sleep(quietMs);
  const times = {};
  const timed = async (name, work) => {
    phase = name;
    const startedAt = performance.now();
    const result = await work();
    times[name] = performance.now() - startedAt;
    return result;
  };
  const { id } = await timed('upload', async () => {
    const sent = {
      method: 'POST',
      path: `${imports}?source=firebase-dynamic-links`,
      headers: { ...headers, 'Content-Type': 'text/csv' },
    };
    const { status, text } = await request(sent, createReadStream(file));
    if (status !== 202) throw new Error(text);
    return JSON.parse(text).data;
  });
  const ends = async (state) => {
    let killed = 0;
    for (;;) {
      await sleep(200);
      const job = await ask('GET', `${imports}/${id}`).catch(() => null);
      if (job && job.state !== state) return job;
      if (state === 'running' && killed < kills && job?.processed > (rows * (killed + 1)) / (kills + 1)) {
        killed++;
        process.kill(signpost.pid, 'SIGKILL');
        signpost = await start();
      }
    }
  };
  await timed('checking', () => ends('checking'));
  const done = await timed('running', async () => {
    await ask('POST', `${imports}/${id}/run`);
    return ends('running');
  });
  phase = 'quiet';
  await sleep(quietMs);
  visiting = false;
  await Promise.all([visits, watch]);
  const { rows: links } = await client.query(
    'SELECT count(*)::int AS links, count(DISTINCT custom_path)::int AS paths FROM dynamic_links',
  );
  if (done.counts.created !== rows || links[0].links !== rows + 1 || links[0].paths !== rows + 1)
    throw new Error(`not exact: ${JSON.stringify({ done, links })}`);
  console.log(`Node ${process.versions.node}, ${rows} rows, ${kills} kills; each row has one link`);
  for (const [name, time] of Object.entries(times))
    console.log(
      `${name.padEnd(9)} ${(time / 1000).toFixed(1).padStart(7)} s  ${Math.round(rows / (time / 1000))} rows/s`,
    );
  console.log(`resident memory at most ${Math.round(memory / 1e6)} MB`);
  for (const [name, measured] of Object.entries(waits)) {
    const [median, p99] = [percentile(measured, 0.5), percentile(measured, 0.99)];
    const ratio = p99 / percentile(waits.quiet, 0.99);
    console.log(
      `visits, ${name.padEnd(9)} ${String(measured.length).padStart(6)}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${ratio.toFixed(2)} of quiet`,
    );
  }
} finally {
  visiting = false;
  agent.destroy();
  await client.end();
  await signpost.stop();
  await traffic?.stop();
  await database.stop();
  rmSync(file);
}

/** Lets PostgreSQL work only while the processors are idle, as if it ran on another machine. Needs Linux. */
async function yieldProcessor(client) {
  const { rows: settings } = await client.query('SHOW data_directory');
  const [pid] = readFileSync(join(settings[0].data_directory, 'postmaster.pid'), 'utf8').split('\n');
  execFileSync('chrt', ['--idle', '--pid', '0', pid]);
}

function* csv() {
  yield 'Short link,link,apn,ibi,st,sd,utm_source,Link name,Creation timestamp\n';
  for (let at = 0; at < rows; at += 500) {
    let text = '';
    for (let row = at; row < Math.min(rows, at + 500); row++)
      text += `https://shop.page.link/a${row},https://shop.example.com/item/${row}?color=red,,,"Item ${row}, on sale",All about item ${row},mail,Item ${row},2023-04-05T06:07:08Z\n`;
    yield text;
  }
}

/** Visits at an even pace, whatever the answers take, so that a pause of the process delays all visits in it. */
async function visit(into) {
  const pending = [];
  while (visiting) {
    const startedAt = performance.now();
    const list = into();
    pending.push(
      request({ port: (traffic ?? signpost).port, path: '/visited', headers: { Host: 'bench.localhost' } }).then(
        () => list.push(performance.now() - startedAt),
        () => {},
      ),
    );
    if (pending.length > 1000) await Promise.all(pending.splice(0));
    await sleep(1000 / visitsPerSecond);
  }
  await Promise.all(pending);
}

function percentile(measured, part) {
  const sorted = [...measured].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}

async function watchMemory() {
  while (visiting) {
    memory = Math.max(memory, residentMemory());
    await sleep(200);
  }
}

function residentMemory() {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${signpost.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function request(options, body) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port: signpost.port, agent, ...options }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    if (body) body.pipe(sent);
    else sent.end();
  });
}
