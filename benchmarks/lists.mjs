// npm run bench:lists compares lists of a large account with the same lists of a small account. It also compares deep pages of the large
// account with its first pages. Both happen in one run, one request at a time. The large account has 1,000,000 links, 200,000 of them in one project, which
// also has 200,000 short links; the small account has 1,000. Another account has 200,000 newer links. LINKS changes the 200,000.
import pg from 'pg';
import { load, median } from './load.mjs';
import { account, postgres, service } from './programs.mjs';

const secondsPerRound = Number(process.env.SECONDS ?? 2);
const rounds = Number(process.env.ROUNDS ?? 3);
const links = Number(process.env.LINKS ?? 200_000);
const lastPage = links / 10;

const database = await postgres({ max_wal_size: '4GB' });
const client = new pg.Client({ connectionString: database.url });
let signpost;
try {
  signpost = await service(database.url);
  await client.connect();
  console.log('loading …');
  const large = await createAccount([links, ...Array(8).fill(links / 2)]);
  const small = await createAccount([links / 1000, ...Array(8).fill(links / 2000)]);
  await createAccount([links]);
  await client.query('VACUUM ANALYZE');

  const lists = {
    'first page': (of) => `/projects/${of.project}/links`,
    'page 100': (of) => `/projects/${of.project}/links?page=100&limit=2`,
    'search, rare word': (of) => `/projects/${of.project}/links?search=zebra`,
    'filter by app': (of) => `/projects/${of.project}/links?ios_app_id=${of.app}`,
    'projects with counts': () => '/projects',
  };
  /** A page that differs from request to request, spread over the whole list. */
  const anyPage = (n) => 2 + ((n * 7919) % (lastPage - 1));
  const deepPages = {
    'links, page 3000': ['/links', () => '/links?page=3000'],
    'links, middle page': ['/links', () => `/links?page=${lastPage / 2}`],
    'links, last page': ['/links', () => `/links?page=${lastPage}`],
    'links, any page': ['/links', (n) => `/links?page=${anyPage(n)}`],
    'links by name, page 3000': ['/links?sortBy=name', () => '/links?sortBy=name&page=3000'],
    'links by name, any page': ['/links?sortBy=name', (n) => `/links?sortBy=name&page=${anyPage(n)}`],
    'search, common word, page 3000': ['/links?search=campaign', () => '/links?search=campaign&page=3000'],
    'search, common word, any page': ['/links?search=campaign', (n) => `/links?search=campaign&page=${anyPage(n)}`],
    'search by name, page 3000': [
      '/links?search=campaign&sortBy=name',
      () => '/links?search=campaign&sortBy=name&page=3000',
    ],
    'short links, page 3000': ['/short-links', () => '/short-links?page=3000'],
    'short links, last page': ['/short-links', () => `/short-links?page=${lastPage}`],
    'short links, any page': ['/short-links', (n) => `/short-links?page=${anyPage(n)}`],
    'short links of a link, page 3000': [
      `/short-links?dynamic_link_id=${large.link}`,
      () => `/short-links?dynamic_link_id=${large.link}&page=3000`,
    ],
  };
  console.log(`medians of ${rounds} rounds of ${secondsPerRound} s`);
  for (const [name, path] of Object.entries(lists)) {
    const [before, after] = await compare({
      small: { key: small.key, path: () => path(small) },
      large: { key: large.key, path: () => path(large) },
    });
    report(name, '1,000', before, '1,000,000', after);
  }
  for (const [name, [firstPage, page]] of Object.entries(deepPages)) {
    const below = `/projects/${large.project}`;
    const [before, after] = await compare({
      first: { key: large.key, path: () => below + firstPage },
      deep: { key: large.key, path: (n) => below + page(n) },
    });
    report(name, 'first page', before, 'deep page', after);
  }
} finally {
  await client.end();
  await signpost?.stop();
  await database.stop();
}

/** Returns the medians of both sides in milliseconds. */
async function compare(sides) {
  const times = Object.values(sides).map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, { key, path }] of Object.values(sides).entries()) {
      const request = (n) =>
        `GET /api/v1${path(n)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      const { p50 } = await load({
        port: signpost.port,
        pid: signpost.pid,
        connections: 1,
        seconds: round ? secondsPerRound : 0.5,
        expect: 200,
        request,
      });
      if (round) times[at].push(p50);
    }
  return times.map(median);
}

function report(name, oneSide, before, otherSide, after) {
  console.log(
    `${name.padEnd(32)} ${oneSide}: ${before.toFixed(2)} ms   ${otherSide}: ${after.toFixed(2)} ms   ratio ${(after / before).toFixed(2)}`,
  );
}

/** Creates an account with one project per given number of links. Every twentieth link of a project references its app. */
async function createAccount(linkCounts) {
  const { account: owner, user, api_key: key } = account(database.url, 'enterprise');
  let first;
  for (const [at, count] of linkCounts.entries()) {
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
      [project, app, count],
    );
    if (!first) {
      const link = (await client.query('SELECT id FROM dynamic_links WHERE project_id = $1 LIMIT 1', [project])).rows[0]
        .id;
      await client.query(
        `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source, created_at)
         SELECT gen_random_uuid(), $1, $2, 's' || n, 'api', now() - n * interval '1 second' FROM generate_series(1, $3) n`,
        [project, link, count],
      );
      first = { project, app, link };
    }
  }
  return { ...first, key: key.key };
}
