// npm run bench:lists compares lists of a large account with the same lists of a small account, in one run, one request at a time.
// The large account has 1,000,000 links, 200,000 of them in one project; the small account has 1,000. Another account has
// 200,000 newer links.
import pg from 'pg';
import { load, median } from './load.mjs';
import { account, postgres, service } from './programs.mjs';

const secondsPerRound = Number(process.env.SECONDS ?? 2);
const rounds = Number(process.env.ROUNDS ?? 3);

const database = await postgres({ max_wal_size: '4GB' });
const client = new pg.Client({ connectionString: database.url });
let signpost;
try {
  signpost = await service(database.url);
  await client.connect();
  console.log('loading …');
  const large = await createAccount([200_000, ...Array(8).fill(100_000)]);
  const small = await createAccount([200, ...Array(8).fill(100)]);
  await createAccount([200_000]);
  await client.query('VACUUM ANALYZE');

  const lists = {
    'first page': (of) => `/projects/${of.project}/links`,
    'page 100': (of) => `/projects/${of.project}/links?page=100&limit=2`,
    'search, rare word': (of) => `/projects/${of.project}/links?search=zebra`,
    'filter by app': (of) => `/projects/${of.project}/links?ios_app_id=${of.app}`,
    'projects with counts': () => '/projects',
  };
  console.log(`medians of ${rounds} rounds of ${secondsPerRound} s`);
  for (const [name, path] of Object.entries(lists)) {
    const times = { small: [], large: [] };
    for (let round = 0; round <= rounds; round++)
      for (const [size, of] of Object.entries({ small, large })) {
        const request = () =>
          `GET /api/v1${path(of)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${of.key}\r\n\r\n`;
        const { p50 } = await load({
          port: signpost.port,
          pid: signpost.pid,
          connections: 1,
          seconds: round ? secondsPerRound : 0.5,
          expect: 200,
          request,
        });
        if (round) times[size].push(p50);
      }
    const [before, after] = [median(times.small), median(times.large)];
    console.log(
      `${name.padEnd(22)} 1,000: ${before.toFixed(2)} ms   1,000,000: ${after.toFixed(2)} ms   ratio ${(after / before).toFixed(2)}`,
    );
  }
} finally {
  await client.end();
  await signpost?.stop();
  await database.stop();
}

/** Creates an account with one project per given number of links. Every twentieth link of a project references its app. */
async function createAccount(linkCounts) {
  const { account: owner, user, api_key: key } = account(database.url, 'enterprise');
  let first;
  for (const [at, links] of linkCounts.entries()) {
    const { rows } = await client.query(
      `INSERT INTO projects (id, account_id, user_id, name, subdomain)
       VALUES (gen_random_uuid(), $1, $2, $3, 'b' || replace(gen_random_uuid()::text, '-', '')) RETURNING id`,
      [owner.id, user.id, `Project ${at}`],
    );
    const project = rows[0].id;
    const app = (
      await client.query(
        `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id) VALUES (gen_random_uuid(), $1, 'App', 'com.example.app', 'ABCDE12345') RETURNING id`,
        [project],
      )
    ).rows[0].id;
    await client.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, ios_app_id, created_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n = 77 THEN 'zebra crossing' ELSE 'Campaign link ' || n END, 'path-' || n,
              'https://example.com/' || n, CASE WHEN n % 20 = 0 THEN $2::uuid END, now() - n * interval '1 second'
       FROM generate_series(1, $3) n`,
      [project, app, links],
    );
    first ??= { project, app };
  }
  return { ...first, key: key.key };
}
