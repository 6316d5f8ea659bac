// npm run bench:api compares the management API with Express and one named statement per operation, interleaved in one run.
import pg from 'pg';
import { load, median } from './load.mjs';
import { account, postgres, program, service } from './programs.mjs';

const clients = 16;
const rounds = Number(process.env.ROUNDS ?? 3);
const secondsPerRound = Number(process.env.SECONDS ?? 4);

const database = await postgres();
const signpost = await service(database.url);
const baseline = await program('benchmarks/express-baseline.mjs', { DATABASE_URL: database.url });
try {
  const { api_key: key, account: owner, user } = account(database.url, 'enterprise');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const project = (
    await client.query(
      `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id`,
      [owner.id, user.id],
    )
  ).rows[0].id;
  const links = await client.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url)
     SELECT gen_random_uuid(), $1, 'Link ' || n, 'link-' || n, 'https://example.com/' || n FROM generate_series(1, 10000) n RETURNING id`,
    [project],
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
  const ids = links.rows.map((row) => row.id);

  const body = JSON.stringify({ name: 'A link', desktop_url: 'https://example.com/some/page' });
  const requestHead = (method, path) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.key}\r\n`;
  const operations = {
    'get a link': {
      expect: 200,
      request: (base) => (n) => `${requestHead('GET', `${base}/projects/${project}/links/${ids[n % ids.length]}`)}\r\n`,
    },
    'list a first page of ten': {
      expect: 200,
      request: (base) => () => `${requestHead('GET', `${base}/projects/${project}/links`)}\r\n`,
    },
    'create a link': {
      expect: 201,
      request: (base) => () =>
        `${requestHead('POST', `${base}/projects/${project}/links`)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    },
  };
  const sides = { Express: { ...baseline, base: '' }, Signpost: { ...signpost, base: '/api/v1' } };
  console.log(`${clients} clients, ${rounds} rounds of ${secondsPerRound} s each side; medians`);
  for (const [name, { expect, request }] of Object.entries(operations)) {
    const measured = { Express: [], Signpost: [] };
    for (let round = 0; round <= rounds; round++)
      for (const [side, { port, pid, base }] of Object.entries(sides)) {
        const result = await load({
          port,
          pid,
          expect,
          connections: clients,
          seconds: round === 0 ? 2 : secondsPerRound,
          request: request(base),
        });
        if (round > 0) measured[side].push(result);
      }
    const of = (side, figure) => median(measured[side].map((result) => result[figure]));
    for (const side of Object.keys(sides))
      console.log(
        `${name.padEnd(26)} ${side.padEnd(9)} ${of(side, 'perSecond').toFixed(0).padStart(6)}/s  p50 ${of(side, 'p50').toFixed(1)} ms  p99 ${of(side, 'p99').toFixed(1)} ms  CPU ${of(side, 'cpu').toFixed(0)} µs`,
      );
    console.log(
      `${name.padEnd(26)} ratio     ${(of('Signpost', 'perSecond') / of('Express', 'perSecond')).toFixed(2)}`,
    );
  }
} finally {
  await signpost.stop();
  await baseline.stop();
  await database.stop();
}
