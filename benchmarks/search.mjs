// npm run bench:search measures searches, filters and deep pages of one large project. It compares them with the same lists of a project with
// 1,000 links. LINKS sets the number of links, 1,000,000 by default. 10,000,000 take about half an hour to load and 11 GB of disk.
// Before each request a link changes. A tenth of the links change before the last cases, without a vacuum after it. PostgreSQL's CPU
// time is a mean, because the system counts it in 10 ms.
/* global URLSearchParams, fetch */
import pg from 'pg';
import { databaseCpu } from './database-cpu.mjs';
import { median } from './load.mjs';
import { account, postgres, service } from './programs.mjs';
import { createWords } from './words.mjs';

const links = Number(process.env.LINKS ?? 1_000_000);
const rounds = Number(process.env.ROUNDS ?? 9);
const linksPerStatement = 500_000;

const database = await postgres({
  max_wal_size: '4GB',
  maintenance_work_mem: '512MB',
});
const client = new pg.Client({ connectionString: database.url });
const sql = async (text, values) => (await client.query(text, values)).rows;
let signpost;
try {
  // The first start migrates. Links are loaded without the service, without triggers and before the indexes are built.
  await (await service(database.url)).stop();
  await client.connect();
  const { account: owner, user, api_key: key } = account(database.url, 'enterprise');
  console.log(`loading ${links} links …`);
  await createWords(client);
  await sql('SET session_replication_role = replica');
  const indexes = await sql(
    "SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'dynamic_links' AND indexdef !~ 'UNIQUE'",
  );
  for (const { name } of indexes) await sql(`DROP INDEX ${name}`);
  const small = await createProject(1000);
  const large = await createProject(links);
  await createTenants(200);
  for (const { definition } of indexes) await sql(definition);
  await sql(`INSERT INTO project_counts (project_id, shard, dynamic_links)
    SELECT project_id, 0, count(*) FROM dynamic_links GROUP BY project_id`);
  await sql('SET session_replication_role = origin');
  await sql('VACUUM ANALYZE');
  signpost = await service(database.url);
  const cpuOfDatabase = await databaseCpu(client);
  console.log(`medians of ${rounds} requests, each after a change of the project`);

  const cases = {
    'first page': () => ({}),
    'no match': () => ({ search: 'nosuchword' }),
    'rare word': () => ({ search: 'zebra' }),
    'word of 0.1 %': () => ({ search: 'kiosk' }),
    'word of 1.2 %': () => ({ search: 'yoga' }),
    'exact path': ({ path }) => ({ search: path }),
    destination: ({ size }) => ({ search: `example.com/${size}` }),
    'common word': () => ({ search: 'summer' }),
    'dense, not in newest 100,000': () => ({ search: 'archive' }),
    'common word, page 100': () => ({ search: 'summer', page: 100 }),
    'common word by name': () => ({ search: 'summer', sortBy: 'name' }),
    'frequent words, no match': () => ({ search: 'summer banner email' }),
    'rare word, other letters': () => ({ search: 'ёлка' }),
    'no match, other letters': () => ({ search: 'привет' }),
    'two words': () => ({ search: 'summer sale' }),
    'two letters': () => ({ search: 'er' }),
    'two letters, none': () => ({ search: 'q!' }),
    'one letter': () => ({ search: 'e' }),
    'filter by app': ({ apps }) => ({ ios_app_id: apps[0] }),
    'filter by app, by name': ({ apps }) => ({ ios_app_id: apps[0], sortBy: 'name' }),
    'filter by rare app': ({ apps }) => ({ ios_app_id: apps[2] }),
    'filter and common word': ({ apps }) => ({ ios_app_id: apps[0], search: 'summer' }),
    'page 100': () => ({ page: 100 }),
    'page 10,000 of 100': ({ size }) => ({ page: Math.min(10_000, size / 100), limit: 100 }),
    'middle page of 100': ({ size }) => ({ page: size / 200, limit: 100 }),
    'page past the end': () => ({ page: 1_000_000_000 }),
  };
  for (const [name, query] of Object.entries(cases)) {
    if (name === 'middle page of 100') await changeMany(large);
    const times = { small: [], large: [] };
    let cpu = 0;
    let total, relation;
    for (let round = 0; round <= rounds; round++) {
      const ofSmall = await request(small, query(small));
      const ofLarge = await request(large, query(large));
      ({ total, totalRelation: relation } = ofLarge.pagination);
      if (round === 0) continue;
      times.small.push(ofSmall.ms);
      times.large.push(ofLarge.ms);
      cpu += ofLarge.cpuMs / rounds;
    }
    const [before, after] = ['small', 'large'].map((side) => median(times[side]));
    console.log(
      `${name.padEnd(28)} ${after.toFixed(1).padStart(7)} ms   CPU of PostgreSQL ${cpu.toFixed(0).padStart(5)} ms   ` +
        `small project ${before.toFixed(1).padStart(5)} ms   ratio ${(after / before).toFixed(2).padStart(6)}   total ${total}${relation ? '+' : ''}`,
    );
  }

  /** Reads a list after a change of the project. */
  async function request(project, query) {
    await sql('UPDATE dynamic_links SET updated_at = now() WHERE id = $1', [project.link]);
    const cpuBefore = cpuOfDatabase();
    const url = `http://127.0.0.1:${signpost.port}/api/v1/projects/${project.id}/links?${new URLSearchParams(query)}`;
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${key.key}` } });
    const body = await response.json();
    const ms = performance.now() - startedAt;
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${JSON.stringify(body)}`);
    return { ms, cpuMs: (cpuOfDatabase() - cpuBefore) / 1000, pagination: body.pagination };
  }

  async function createProject(size) {
    const [{ id }] = await sql(
      `INSERT INTO projects (id, account_id, user_id, name, subdomain)
       VALUES (gen_random_uuid(), $1, $2, 'Project', 'b' || replace(gen_random_uuid()::text, '-', '')) RETURNING id`,
      [owner.id, user.id],
    );
    const apps = (
      await sql(
        `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id)
         SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, 'ABCDE12345' FROM generate_series(1, 3) n RETURNING id`,
        [id],
      )
    ).map((app) => app.id);
    for (let from = 1; from <= size; from += linksPerStatement)
      await sql(
        `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, ios_app_id, created_at)
         SELECT gen_random_uuid(), $1::uuid, CASE WHEN n % ($4 / 40) = 7 THEN 'Zebra ' WHEN n % ($4 / 40) = 8 THEN 'Ёлка ' WHEN n % 50 = 3 THEN 'Größe ' WHEN n % 83 = 4 THEN 'Yoga ' WHEN n % 1000 = 5 THEN 'Kiosk ' WHEN n > 100000 AND n % 5 = 0 THEN 'Archive ' ELSE '' END || initcap(a.word) || ' ' || b.word || ' ' || n,
           CASE WHEN n % 2 = 0 THEN c.word || '-' || n ELSE substr(md5(n::text), 1, 8) || n END, 'https://example.com/' || n,
           CASE WHEN n % 3 = 0 THEN ($2::uuid[])[1] WHEN n % 10 = 1 THEN ($2::uuid[])[2] WHEN n % ($4 / 20) = 2 THEN ($2::uuid[])[3] END,
           timestamptz '2026-01-01' - n * interval '1 second'
         FROM (SELECT n, floor(50000 ^ random())::int AS r1, floor(50000 ^ random())::int AS r2, floor(50000 ^ random())::int AS r3
               FROM generate_series($3::int, $5::int) n OFFSET 0) AS numbers
           JOIN bench_words a ON a.rank = r1 JOIN bench_words b ON b.rank = r2 JOIN bench_words c ON c.rank = r3`,
        [id, apps, from, size, Math.min(size, from + linksPerStatement - 1)],
      );
    const [{ id: link, custom_path: path }] = await sql(
      'SELECT id, custom_path FROM dynamic_links WHERE project_id = $1 ORDER BY id LIMIT 1',
      [id],
    );
    return { id, apps, size, link, path };
  }

  /** Changes a tenth of the links, as many at a time as a bulk request. */
  async function changeMany({ id, size }) {
    const ids = await sql('SELECT id FROM dynamic_links WHERE project_id = $1 LIMIT $2', [id, size / 10]);
    for (let at = 0; at < ids.length; at += 1000)
      await sql('UPDATE dynamic_links SET updated_at = now() WHERE id = ANY ($1)', [
        ids.slice(at, at + 1000).map((link) => link.id),
      ]);
  }

  /** Creates small projects of other accounts, whose links are newer. */
  async function createTenants(count) {
    for (let tenant = 0; tenant < count; tenant++) await createProject(100);
  }
} finally {
  await client.end();
  await signpost?.stop();
  await database.stop();
}
