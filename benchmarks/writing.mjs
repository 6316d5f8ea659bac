import { createRequire } from 'node:module';
import { clearInterval, setInterval } from 'node:timers';
import pg from 'pg';

const require = createRequire(import.meta.url);

/** Records clicks of one link at a rate until it is stopped, as the processes of link traffic do. */
export async function writeClicks({ databaseUrl, clickHouseUrl, project, link, perSecond }) {
  const { ClickRecorder } = require('../build/clicks/click-recorder.js');
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const store = clickHouseUrl ? clickHouseStore(clickHouseUrl, pool) : postgresStore(pool);
  const recorder = new ClickRecorder(store.repository, () => {});
  const clients = ['ios', 'android', 'desktop'].map((platform) => ({ platform, browser: 'Chrome', robot: false }));
  const opened = { id: link, shortLinkId: null, shortLinkSource: null, quarterSerial: 0, numberInQuarter: 0 };
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) / 1000) * perSecond; sent < due; sent++)
      recorder.record({
        at: Date.now(),
        projectId: project,
        link: opened,
        client: clients[sent % clients.length],
        referrer: `${sent % 50}.example`,
        country: 'DE',
        qr: false,
      });
  }, 20);
  return {
    stop: async () => {
      clearInterval(timer);
      await recorder.stop();
      await store.close();
      await pool.end();
      const { recorded, dropped } = recorder.counts;
      return `recorded ${recorded} clicks meanwhile, and dropped ${dropped}`;
    },
  };
}

function postgresStore(pool) {
  const { PgClickRepository } = require('../build/clicks/pg-click.repository.js');
  return { repository: new PgClickRepository(pool), close: async () => {} };
}

function clickHouseStore(url, pool) {
  const { ClickHouseClickRepository } = require('../build/clicks/clickhouse-click.repository.js');
  const { PgClickRepository } = require('../build/clicks/pg-click.repository.js');
  const { HttpClickHouse } = require('../build/platform/clickhouse/http-clickhouse.js');
  const clickHouse = new HttpClickHouse(new URL(url), null);
  const settings = { retentionMonths: 13, migrate: true, writesBoth: false };
  return {
    repository: new ClickHouseClickRepository(clickHouse, new PgClickRepository(pool), null, settings),
    close: () => clickHouse.close(),
  };
}
