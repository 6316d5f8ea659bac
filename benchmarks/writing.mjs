import { createRequire } from 'node:module';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const require = createRequire(import.meta.url);

/** Fewer clicks than a recorder keeps, so that none is dropped. */
const maxWaiting = 80_000;

/** Records clicks of the project's links at a rate until it is stopped, as the processes of link traffic do. */
export async function writeClicks({ perSecond, ...place }) {
  const { recorder, recordNext, close } = openRecorder(place);
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) / 1000) * perSecond; sent < due; sent++) recordNext();
  }, 20);
  return {
    stop: async () => {
      clearInterval(timer);
      await close();
      const { recorded, dropped } = recorder.counts;
      return `recorded ${recorded} clicks meanwhile, and dropped ${dropped}`;
    },
  };
}

/** Records clicks of the project's links as fast as one process can store them, and describes the rate. */
export async function writeAtFullRate({ clicks, ...place }) {
  const { recorder, recordNext, close } = openRecorder(place);
  const startedAt = performance.now();
  for (let sent = 0; sent < clicks || recorder.counts.waiting > 0; await sleep(5))
    for (; sent < clicks && recorder.counts.waiting < maxWaiting; sent++) recordNext();
  const seconds = (performance.now() - startedAt) / 1000;
  await close();
  const { recorded, dropped } = recorder.counts;
  return `one process recorded ${recorded} clicks in ${seconds.toFixed(0)} s, ${Math.round(recorded / seconds)} per second, and dropped ${dropped}`;
}

/** Opens a recorder of clicks, each on the next of the links. */
function openRecorder({ databaseUrl, clickHouseUrl, project, links }) {
  const { ClickRecorder } = require('../build/clicks/recording/click-recorder.js');
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const store = clickHouseUrl ? clickHouseStore(clickHouseUrl, pool) : postgresStore(pool);
  const recorder = new ClickRecorder(store.repository, (error) => console.error(error));
  const clients = ['ios', 'android', 'desktop'].map((platform) => ({ platform, browser: 'Chrome', robot: false }));
  const opened = links.map((id) => ({
    id,
    shortLinkId: null,
    shortLinkSource: null,
    quarterSerial: 0,
    numberInQuarter: 0,
  }));
  let next = 0;
  return {
    recorder,
    recordNext: () => {
      const at = next++;
      recorder.record({
        at: Date.now(),
        projectId: project,
        link: opened[at % opened.length],
        client: clients[at % clients.length],
        referrer: `${at % 50}.example`,
        country: 'DE',
        qr: false,
      });
    },
    close: async () => {
      await recorder.stop();
      await store.close();
      await pool.end();
    },
  };
}

function postgresStore(pool) {
  const { PgClickRepository } = require('../build/clicks/recording/pg-click.repository.js');
  return { repository: new PgClickRepository(pool), close: async () => {} };
}

function clickHouseStore(url, pool) {
  const { ClickHouseClickRepository } = require('../build/clicks/recording/clickhouse-click.repository.js');
  const { HttpClickHouse } = require('../build/platform/clickhouse/http-clickhouse.js');
  const clickHouse = new HttpClickHouse(new URL(url));
  const settings = { retentionMonths: 13, migrate: true, writesBoth: false };
  return {
    repository: new ClickHouseClickRepository(clickHouse, null, settings, pool),
    close: () => clickHouse.close(),
  };
}
