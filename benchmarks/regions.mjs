// npm run bench:regions measures `region add` on a primary with many links, a rebuild of that region, and how fast replication applies
// changes of many links. LINKS sets the number of links, 200,000 by default. Both databases are on this machine; DELAY_MS delays
// everything between them, in each direction.
/* global setTimeout */
import { execFile } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { account, checkout, postgres, service } from './programs.mjs';

const links = Number(process.env.LINKS ?? 200_000);
const delayMs = Number(process.env.DELAY_MS ?? 40);

const primary = await postgres({ wal_level: 'logical', max_wal_size: '4GB' });
const region = await postgres({ max_wal_size: '4GB' });
const network = await delayedNetwork(primary.url, delayMs);
const clients = [primary, region].map(({ url }) => new pg.Client({ connectionString: url }));
const [here, there] = clients;
try {
  await (await service(primary.url)).stop();
  await Promise.all(clients.map((client) => client.connect()));
  await load();
  const { rows } = await here.query(
    `SELECT pg_size_pretty(sum(pg_relation_size(name::regclass))) AS size FROM unnest(replicated_tables()) AS name`,
  );
  console.log(`${links} links in a primary, ${rows[0].size} of rows; ${delayMs} ms to the region in each direction`);
  await report('region add, to an empty database', () => add());
  await report('region add --rebuild, without a difference', () => add('--rebuild'));
  await there.query(
    "UPDATE dynamic_links SET name = 'changed' WHERE id IN (SELECT id FROM dynamic_links ORDER BY id LIMIT $1)",
    [Math.ceil(links / 100)],
  );
  await report('region add --rebuild, with 1 % of different links', () => add('--rebuild'));
  await report('replication of a change of all links, in one statement', async () => {
    await here.query("UPDATE dynamic_links SET desktop_url = desktop_url || '?'");
    const sql = "SELECT FROM dynamic_links WHERE desktop_url NOT LIKE '%?' LIMIT 1";
    while ((await there.query(sql)).rowCount > 0) await sleep(100);
  });
} finally {
  await Promise.all(clients.map((client) => client.end()));
  network.close();
  await region.stop();
  await primary.stop();
}

async function report(what, work) {
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${what}: ${seconds.toFixed(1)} s, ${Math.round(links / seconds)} links per second`);
}

/** Runs the command with the settings of the region. */
async function add(...more) {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [join(checkout, 'dist/admin.js'), 'region', 'add', '--name', 'eu', '--subscription-url', network.url, ...more],
    {
      env: { PATH: process.env.PATH, ROLE: 'traffic', DATABASE_URL: region.url, PRIMARY_DATABASE_URL: network.url },
    },
  );
  if (stderr) console.error(stderr);
}

/** Creates projects with 1,000 links each, without the service. */
async function load() {
  account(primary.url, 'enterprise');
  await here.query('SET session_replication_role = replica');
  await here.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain)
     SELECT gen_random_uuid(), users.account_id, users.id, 'Project', 'project-' || number
     FROM users, generate_series(1, $1::int) AS number`,
    [Math.ceil(links / 1000)],
  );
  await here.query(
    'INSERT INTO subdomains (name, account_id, project_id) SELECT subdomain, account_id, id FROM projects',
  );
  await here.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, social_title, social_description, referrer_params)
     SELECT gen_random_uuid(), projects.id, 'Link ' || number, 'path-' || number, 'https://shop.example.com/products/' || md5(number::text),
            'Title ' || number, 'Some words that describe the page behind this link', '[["utm_source", "newsletter"]]'
     FROM projects, generate_series(1, 1000) AS number LIMIT $1`,
    [links],
  );
  await here.query(
    'INSERT INTO link_paths (project_id, path, dynamic_link_id) SELECT project_id, custom_path, id FROM dynamic_links',
  );
  await here.query('SET session_replication_role = origin');
  await here.query('VACUUM ANALYZE');
}

/** Serves a database on TCP, with a delay in each direction. */
async function delayedNetwork(databaseUrl, delay) {
  const target = new URL(databaseUrl);
  const socket = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}`;
  const server = createServer((near) => {
    const far = connect(socket);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      // A full receiver stops the sender, as in a network. Otherwise the answers of replication would wait behind the data of minutes.
      from.on('data', (data) => setTimeout(() => to.writable && !to.write(data) && from.pause(), delay));
      to.on('drain', () => from.resume());
      from.on('close', () => setTimeout(() => to.destroy(), delay));
      from.on('error', () => to.destroy());
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  target.searchParams.delete('host');
  target.searchParams.set('gssencmode', 'disable');
  target.hostname = '127.0.0.1';
  target.port = String(server.address().port);
  return { url: target.href, close: () => server.close() };
}
