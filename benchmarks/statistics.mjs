// npm run bench:statistics measures statistics of a project with CLICKS (10,000,000) clicks of the last thirty days, on LINKS (1,000)
// links. It requests the daily series and each grouping; the target is 100 ms. With filters it is 150 ms. It also reads pages and a day of single clicks. If
// ClickHouse is installed in test/clickhouse/engine, it copies the clicks there and measures the same requests. It repeats the statistics
// while RATE (10,000) clicks per second are written. Then one process writes INGESTED (1,000,000) clicks as fast as the store takes them.
// At the end it measures the deletion of the project and the purge of its clicks, with a restart in between. With COPY=false, or
// without PostgreSQL in STORES, ClickHouse makes equally distributed clicks by its own statements, which is faster. CLICKS=100000000
// COPY=false takes an hour and a half, and 25 GB of disk.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { agent, ask, countLines, measureRequests } from './ask.mjs';
import { loadIntoClickHouse } from './clickhouse-clicks.mjs';
import { copyToClickHouse, isInstalled, sizesOf, startClickHouse } from './clickhouse.mjs';
import { createClickedProject, loadClicks } from './clicks.mjs';
import { median } from './load.mjs';
import { account, postgres, service } from './programs.mjs';
import { writeAtFullRate, writeClicks } from './writing.mjs';

const clicks = Number(process.env.CLICKS ?? 10_000_000);
const rounds = Number(process.env.ROUNDS ?? 7);
const selected = (process.env.STORES ?? 'PostgreSQL,ClickHouse').split(',');
const rate = Number(process.env.RATE ?? 10_000);
const ingested = Number(process.env.INGESTED ?? 1_000_000);
const targetMs = 100;
const deletionTargetMs = 2000;

const groupings = ['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source'];
/** Conditions that combine. The sums have those of the first list, and single clicks are read for the others. */
const filters = {
  summed: [
    'country=AB&platform=ios',
    'platform=ios&group_by=country',
    'country=AB&group_by=browser',
    'platform=ios&country=AB&qr=true&group_by=browser',
    'platform=ios&group_by=link',
    'platform=ios&country=AB&group_by=link',
    'utm_source=source-3&group_by=country',
    'utm_source=source-3&platform=ios&country=AB',
    'group_by=utm_source',
    'platform=ios&group_by=utm_source',
    'referrer=host-1.example',
    'referrer=host-1.example&group_by=link',
  ],
  single: ['referrer=host-1.example&group_by=country', 'referrer=host-1.example&platform=ios&utm_source=source-3'],
};
const filterTargetMs = 150;

const windows = {
  'by day': '',
  'by day, Kolkata': 'timezone=Asia/Kolkata&',
  'by hour, Kolkata': 'timezone=Asia/Kolkata&interval=hour&',
};

const database = await postgres({ max_wal_size: '8GB' });
const client = new pg.Client({ connectionString: database.url });
let signpost;
let clickHouse;
let reader;
try {
  signpost = await service(database.url);
  await client.connect();
  const { account: owner, user, api_key } = account(database.url, 'enterprise');
  console.log(`loading ${clicks} clicks …`);
  const created = await createClickedProject(client, owner.id, user.id);
  const { project } = created;
  const [from, to] = [created.from, created.to].map((at) => new Date(at).toISOString());
  const stores = {};
  let link;
  if (selected.includes('PostgreSQL')) {
    const startedAt = performance.now();
    link = await loadClicks(database.url, created, clicks);
    console.log(writtenSince(startedAt));
    const [stored, summed] = await Promise.all([gigabytes('clicks'), gigabytes('clicks_by_day', 'clicks_by_quarter')]);
    console.log(`${stored} GB of clicks, ${summed} GB of sums, indexes included`);
    stores.PostgreSQL = signpost;
  }
  if (isInstalled && selected.includes('ClickHouse')) {
    clickHouse = await startClickHouse();
    const isCopied = stores.PostgreSQL && process.env.COPY !== 'false';
    if (isCopied) console.log(await copyToClickHouse(database.url, clickHouse));
    reader = await service(database.url, { CLICKHOUSE_URL: clickHouse.url, CLICKHOUSE_MODE: 'read' });
    if (!isCopied) link = await fillClickHouse(created);
    stores.ClickHouse = reader;
  }
  for (const [store, { port }] of Object.entries(stores)) {
    await measureAll(store, port);
    await measureFilters(store, port);
    await measureSingleClicks(store, port);
    const place = {
      databaseUrl: database.url,
      clickHouseUrl: store === 'ClickHouse' ? clickHouse.url : null,
      project,
      links: created.links,
    };
    const writing = await writeClicks({ ...place, perSecond: rate });
    await measureAll(`${store}, during ${rate} clicks per second`, port);
    console.log(await writing.stop());
    const startedAt = performance.now();
    console.log(`${store}: ${await writeAtFullRate({ ...place, clicks: ingested })}`);
    // ClickHouse sums while it inserts.
    await until(async () => (await client.query('SELECT FROM fresh_click_batches LIMIT 1')).rowCount === 0);
    console.log(
      `their sums were complete ${((performance.now() - startedAt) / 1000).toFixed(0)} s after the first click`,
    );
  }
  await reader?.stop();
  reader = undefined;
  if (clickHouse) console.log(await sizesOf(clickHouse, clicks));
  if (stores.PostgreSQL) await measureDeletion();

  function writtenSince(startedAt) {
    const seconds = (performance.now() - startedAt) / 1000;
    return `wrote ${clicks} clicks in ${seconds.toFixed(0)} s, ${Math.round(clicks / seconds)} per second`;
  }

  async function fillClickHouse(place) {
    const startedAt = performance.now();
    const link = await loadIntoClickHouse(clickHouse, place, clicks);
    console.log(writtenSince(startedAt));
    console.log(await sizesOf(clickHouse, clicks));
    return link;
  }

  async function measureDeletion() {
    const startedAt = performance.now();
    await ask(signpost.port, 'DELETE', `/projects/${project}`, api_key.key);
    const took = performance.now() - startedAt;
    console.log(`deleted in ${took.toFixed(0)} ms, ${(took / deletionTargetMs).toFixed(2)} of ${deletionTargetMs} ms`);
    await sleep(10_000);
    const restartedWith = await remainingRows(project);
    await signpost.stop();
    signpost = await service(database.url);
    await until(async () => (await remainingRows(project)) === 0);
    console.log(
      `restarted with ${restartedWith} rows left; all purged after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    );
  }

  async function measureAll(store, port) {
    console.log(`${store}: medians of ${rounds} answers over HTTP, and the slowest, in milliseconds`);
    const slow = [];
    for (const [of, path] of Object.entries({ project: '', link: `/links/${link}` }))
      for (const [name, window] of Object.entries(windows))
        for (const grouping of [null, ...groupings]) {
          const query = `from=${from}&to=${to}&${window}${grouping ? `group_by=${grouping}` : ''}`;
          const times = await measureRequests(
            port,
            `/projects/${project}${path}/analytics?${query}`,
            api_key.key,
            rounds,
          );
          const [middle, worst] = [median(times), Math.max(...times)];
          const label = `${of.padEnd(8)} ${name.padEnd(17)} ${(grouping ?? '(series alone)').padEnd(15)}`;
          console.log(`${label} ${middle.toFixed(1).padStart(7)} ${worst.toFixed(1).padStart(7)}`);
          if (name === 'by day' && middle > targetMs) slow.push(label.replaceAll(/ +/g, ' '));
        }
    console.log(slow.length === 0 ? `all daily ones within ${targetMs} ms` : `over ${targetMs} ms: ${slow.join('; ')}`);
  }

  /** Measures statistics with filters. A request of the second list may be too expensive. */
  async function measureFilters(store, port) {
    for (const [kind, queries] of Object.entries(filters))
      for (const [name, window] of Object.entries({ 'by day': '', 'by day, Kolkata': 'timezone=Asia/Kolkata&' }))
        for (const filter of queries) {
          const path = `/projects/${project}/analytics?from=${from}&to=${to}&${window}${filter}`;
          const label = `${store}, ${kind}, ${name}, ${filter}`;
          try {
            const times = await measureRequests(port, path, api_key.key, rounds);
            const isSlow = median(times) > filterTargetMs ? `, over ${filterTargetMs}` : '';
            console.log(`${label}: ${median(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)}${isSlow}`);
          } catch (error) {
            console.log(`${label}: ${error.message.slice(0, 200)}`);
          }
        }
  }

  /** Measures pages of single clicks, and the export of the last day. */
  async function measureSingleClicks(store, port) {
    const filters = {
      'no filter': '',
      platform: 'platform=ios&',
      link: `dynamic_link_id=${link}&`,
      'no match': 'country=XX&',
    };
    for (const [name, filter] of Object.entries(filters)) {
      const times = await measureRequests(
        port,
        `/projects/${project}/clicks?${filter}from=${from}&to=${to}`,
        api_key.key,
        rounds,
      );
      console.log(
        `${store}, page of 100 clicks, ${name}: ${median(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)}`,
      );
    }
    const day = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
    const startedAt = performance.now();
    const { lines, bytes } = await countLines(
      port,
      `/projects/${project}/clicks/export?date=${day}&include_bots=true`,
      api_key.key,
    );
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(
      `${store}, export of ${day}: ${lines} clicks in ${seconds.toFixed(1)} s, ${Math.round(lines / seconds)} per second, ${(bytes / lines).toFixed(0)} bytes each`,
    );
  }
} finally {
  agent.destroy();
  await client.end();
  await reader?.stop();
  await clickHouse?.stop();
  await signpost?.stop();
  await database.stop();
}

async function gigabytes(...tables) {
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(inhrelid)) / 1e9 AS size FROM pg_inherits WHERE inhparent::regclass::text = ANY ($1)`,
    [tables],
  );
  return Number(rows[0].size).toFixed(2);
}

/** Returns the number of stored clicks and pending purges of the project. */
async function remainingRows(project) {
  const { rows } = await client.query(
    `SELECT (SELECT coalesce(sum(cardinality(moments)), 0) FROM clicks WHERE project_id = $1)
          + (SELECT count(*) FROM click_purges WHERE project_id = $1) AS rows`,
    [project],
  );
  return Number(rows[0].rows);
}

async function until(condition) {
  while (!(await condition())) await sleep(500);
}
