import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clicks } from '../clicks/recording/clicks.composition';
import { LinkTrafficParts } from '../link-traffic/link-traffic.composition';
import { HealthService } from '../management-api/health/health.service';
import { PgDatabaseState } from '../management-api/health/pg-database-state';
import { BrowserEscapes } from '../link-routing/escapes/escape-choice';
import { LinkHosts } from '../link-paths/paths/link-hosts';
import { openClickHouse } from '../platform/clickhouse/open-clickhouse';
import { serverLimits } from '../platform/http/server-limits';
import type { Metrics } from '../platform/observability/metrics';
import { MetricsServer } from '../platform/observability/metrics-server';
import { ChangeListener } from '../platform/change-notifications/change-listener';
import { PoolFactory } from '../platform/postgres/pool-factory';
import { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import { Clock } from '../shared/clock';
import { Dispatcher } from './dispatcher';
import type { Environment } from './environment';
import { healthListener } from './health-listener';
import { PrimaryContact } from '../regions/primary-contact';
import { openPrimaryPool } from '../regions/primary-pool';
import { type Region, readRegion } from '../regions/region';

const endTimeoutMs = 1000;

export type TrafficProcess = Awaited<ReturnType<typeof startTraffic>>;

/**
 * Starts link traffic alone (`ROLE=traffic`), and returns when it listens. It is built without Nest and TypeORM, which take most of the
 * start and of the memory (docs/decisions/0001-composition.md). It starts and stops its parts in the order of `AppModule`.
 */
export async function startTraffic(environment: Environment) {
  const { config, database, log, clock = new Clock(), tracing } = environment;
  const { host, metricsPort, primaryDatabaseUrl, shutdownDelayMs, shutdownTimeoutMs } = config;
  const { redisUrl } = config.rateLimit;
  // The clients of Prometheus, Redis and ClickHouse are loaded only if they are used.
  const metrics =
    metricsPort === undefined ? null : new (await import('../platform/observability/metrics.js')).Metrics();
  const ofRedis = redisUrl === undefined ? null : await import('../platform/rate-limit/redis-rate-limit-storage.js');
  const region = primaryDatabaseUrl === undefined ? null : await readRegion(database.directUrl);
  const clickHouse = await openClickHouse(config.clickHouse, metrics);

  const hosts = new LinkHosts(config.linkBaseUrl, config.apiBaseUrl);
  const pools = new PoolFactory(database.url, log, metrics);
  const changeListener = new ChangeListener(database.directUrl, (message) => log.warn(message), clock);
  metrics?.watch({ signpost_change_listener_up: () => Number(changeListener.current) });
  const local = new InMemoryRateLimitStorage(clock);
  const redis = ofRedis && new ofRedis.RedisRateLimitStorage(redisUrl!, local, (message) => log.warn(message));
  redis?.watchedBy(metrics);
  const clicks = new Clicks({ settings: config.clicks, pools, log, metrics, clickHouse, isRegion: region !== null });
  const regional = region && openRegion(environment, region, primaryDatabaseUrl!, metrics);
  const linkTraffic = new LinkTrafficParts({
    settings: { ...config.linkTraffic, tracing },
    database: { poolSize: config.databasePoolSize },
    rateLimit: config.rateLimit,
    pictures: config.pictures,
    hosts,
    pools,
    changeListener,
    clicks: clicks.recorder,
    rateLimits: redis ?? local,
    clock,
    log,
    metrics,
    escapes: new BrowserEscapes(),
    ...(region && regional && { region: { code: region.code, primary: regional.claims } }),
  });
  const health = new HealthService(new PgDatabaseState(linkTraffic.reads), log);
  const metricsServer = metrics && new MetricsServer(metrics.registry);
  const server = createServer(serverLimits);
  const drain = new Dispatcher(hosts, log, metrics).attach(server, {
    role: 'traffic',
    linkTraffic,
    health: healthListener(health, log, metrics),
  });

  await changeListener.start();
  await clicks.start();
  await linkTraffic.start();
  regional?.contact.start();
  if (metricsPort !== undefined) await metricsServer?.listen(metricsPort, host);
  server.listen(config.port, host);
  await once(server, 'listening');
  health.listening({
    role: 'traffic',
    changeListener,
    redis: redis ?? undefined,
    clickHouse: clickHouse ?? undefined,
    region: regional?.contact,
  });
  return {
    server,
    changeListener,
    port: (server.address() as AddressInfo).port,
    /** Undefined if metrics are off. */
    metricsPort: metricsServer?.port,
    /** Completes open requests, writes waiting clicks, and closes all connections. */
    stop: async (): Promise<void> => {
      health.drain();
      drain.begin();
      await sleep(shutdownDelayMs);
      await drain.close(shutdownTimeoutMs);
      clicks.flush();
      linkTraffic.flush();
      await Promise.all([clicks.close(), linkTraffic.close(), changeListener.stop()]);
      await regional?.contact.stop();
      const ended = Promise.all(regional?.pools.map((pool) => pool.end()) ?? []);
      // A statement that is cut off by the end of the process is sent again by the next one.
      await Promise.race([ended, sleep(endTimeoutMs, undefined, { ref: false })]);
      redis?.close();
      await clickHouse?.close();
      await metricsServer?.close();
    },
  };
}

function openRegion({ database, log }: Environment, region: Region, primaryUrl: string, metrics: Metrics | null) {
  const primary = openPrimaryPool(primaryUrl, 'contact', log, metrics);
  const claims = openPrimaryPool(primaryUrl, 'claims', log, metrics);
  const local = new PoolFactory(database.directUrl, log, metrics).open('region', 1);
  const contact = new PrimaryContact(region, local, primary, log);
  metrics?.watch({
    signpost_region_lag_seconds: () => (contact.lagMs === null ? NaN : contact.lagMs / 1000),
    signpost_region_primary_up: () => Number(contact.isUp),
    signpost_region_clicks_undelivered: () => contact.undeliveredClicks ?? NaN,
  });
  return { contact, claims, pools: [local, primary, claims] };
}
