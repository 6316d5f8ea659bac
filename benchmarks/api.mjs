// npm run bench:api compares the management API with Express and one named statement per operation, interleaved in one run. It prints
// throughput, and the CPU time of the process and of PostgreSQL per request. CASES=get,create selects operations by words of their names,
// and LINKS=1000000 fills the project with so many links.
import pg from 'pg';
import { databaseCpu } from './database-cpu.mjs';
import { load, median } from './load.mjs';
import { account, postgres, program, service } from './programs.mjs';

const clients = 16;
const quick = process.env.QUICK === '1';
const rounds = Number(process.env.ROUNDS ?? (quick ? 1 : 5));
const secondsPerRound = Number(process.env.SECONDS ?? (quick ? 1 : 3));
/** Ends a round early, so that a busy machine does not change what is measured. */
const requestsPerRound = Number(process.env.REQUESTS ?? Infinity);
const selected = process.env.CASES?.split(',') ?? [''];
const stored = Number(process.env.LINKS ?? 10_000);

const database = await postgres();
const client = new pg.Client({ connectionString: database.url });
const signpost = await service(database.url);
const baseline = await program('benchmarks/express-baseline.mjs', { DATABASE_URL: database.url });
try {
  await client.connect();
  const cpuOfDatabase = await databaseCpu(client);
  const { api_key: key, account: owner, user } = account(database.url, 'enterprise');
  const project = await createProject(owner, user);
  const ids = await createLinks(project, stored, 'link');
  await client.query('VACUUM ANALYZE');

  const links = `projects/${project}/links`;
  const call = (base, method, path, body) =>
    `${method} ${base}/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.key}\r\n` +
    (body ? `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` : '\r\n');
  const created = JSON.stringify({ name: 'A link', desktop_url: 'https://example.com/some/page' });
  // A new name each time, because an update that changes nothing writes nothing.
  let names = 0;
  const updated = () => JSON.stringify({ name: `Name ${names++}`, desktop_url: 'https://example.com/another/page' });
  const operations = {
    'get a link': { request: (base) => (n) => call(base, 'GET', `${links}/${ids[n % stored]}`) },
    'first page of ten': { request: (base) => () => call(base, 'GET', links) },
    'page 100 of ten': { request: (base) => () => call(base, 'GET', `${links}?page=100`) },
    'create a link': { expect: 201, request: (base) => () => call(base, 'POST', links, created) },
    'update a link': { request: (base) => (n) => call(base, 'PUT', `${links}/${ids[n % stored]}`, updated()) },
    'delete a link': {
      // Enough for a round, because each link is deleted once.
      prepare: () => createLinks(project, Math.min(requestsPerRound, 6000 * secondsPerRound), 'doomed'),
      request: (base, doomed) => (n) => (n < doomed.length ? call(base, 'DELETE', `${links}/${doomed[n]}`) : null),
    },
  };
  const sides = { Express: { ...baseline, base: '' }, Signpost: { ...signpost, base: '/api/v1' } };
  console.log(
    `Node ${process.versions.node}, ${clients} clients, ${rounds} rounds of ${secondsPerRound} s each side; medians`,
  );
  for (const [name, operation] of Object.entries(operations)) {
    if (!selected.some((word) => name.includes(word))) continue;
    const measured = { Express: [], Signpost: [] };
    for (let round = 0; round <= rounds; round++)
      for (const side of round % 2 ? ['Signpost', 'Express'] : ['Express', 'Signpost']) {
        const result = await measure(sides[side], operation, cpuOfDatabase);
        // The first round warms both up.
        if (round > 0) measured[side].push(result);
      }
    report(name, measured);
  }
} finally {
  await client.end();
  await signpost.stop();
  await baseline.stop();
  await database.stop();
}

async function measure({ port, pid, base }, { expect = 200, request, prepare }, cpuOfDatabase) {
  const prepared = await prepare?.();
  const before = cpuOfDatabase();
  const result = await load({
    port,
    pid,
    expect,
    connections: clients,
    seconds: secondsPerRound,
    request: upTo(requestsPerRound, request(base, prepared)),
  });
  return { ...result, databaseCpu: (cpuOfDatabase() - before) / result.requests };
}

function upTo(max, request) {
  return (n) => (n < max ? request(n) : null);
}

function report(name, measured) {
  const of = (side, figure) => median(measured[side].map((result) => result[figure]));
  for (const side of Object.keys(measured))
    console.log(
      `${name.padEnd(18)} ${side.padEnd(9)} ${of(side, 'perSecond').toFixed(0).padStart(6)}/s  p50 ${of(side, 'p50').toFixed(1)} ms  ` +
        `p99 ${of(side, 'p99').toFixed(1)} ms  CPU ${of(side, 'cpu').toFixed(0)} µs, PostgreSQL ${of(side, 'databaseCpu').toFixed(0)} µs`,
    );
  const ratio = (figure) => (of('Signpost', figure) / of('Express', figure)).toFixed(2);
  console.log(
    `${name.padEnd(18)} ratio     throughput ${ratio('perSecond')}  CPU ${ratio('cpu')}, PostgreSQL ${ratio('databaseCpu')}`,
  );
}

async function createProject(owner, user) {
  const { rows } = await client.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id`,
    [owner.id, user.id],
  );
  return rows[0].id;
}

async function createLinks(project, count, name) {
  const { rows } = await client.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url)
     SELECT gen_random_uuid(), $1, 'Link ' || n, $2 || '-' || left(gen_random_uuid()::text, 8) || '-' || n, 'https://example.com/' || n
     FROM generate_series(1, $3::int) n RETURNING id`,
    [project, name, count],
  );
  return rows.map(({ id }) => id);
}
