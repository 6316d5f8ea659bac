import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clicks } from '../clicks/recording/clicks.composition';
import { LinkTrafficParts } from '../link-traffic/link-traffic.composition';
import { HealthService } from '../management-api/health/health.service';
import { PgDatabaseState } from '../management-api/health/pg-database-state';
import { LinkHosts } from '../links/link-paths/link-hosts';
import type { ClickHouse } from '../platform/clickhouse/clickhouse';
import { openClickHouse } from '../platform/clickhouse/open-clickhouse';
import type { Drain } from '../platform/http/drain';
import { serverLimits } from '../platform/http/server-limits';
import type { Metrics } from '../platform/observability/metrics';
import { MetricsServer } from '../platform/observability/metrics-server';
import type { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { ChangeListener } from '../platform/change-notifications/change-listener';
import { PoolFactory } from '../platform/postgres/pool-factory';
import { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import type { RedisRateLimitStorage } from '../platform/rate-limit/redis-rate-limit-storage';
import { Clock } from '../shared/clock';
import { Dispatcher } from './dispatcher';
import type { Environment } from './environment';
import { healthListener } from './health-listener';
import { PrimaryContact } from '../regions/primary-contact';
import { openPrimaryPool } from '../regions/primary-pool';
import { type Region, readRegion } from '../regions/region';

const endTimeoutMs = 1000;

/**
 * Runs link traffic alone (`ROLE=traffic`). It is built without Nest and TypeORM, which take most of the start and of the memory
 * (docs/decisions/0001-composition.md). It starts and stops its parts in the order of `AppModule`.
 */
export class TrafficProcess {
  readonly server: Server = createServer(serverLimits);
  readonly changeListener: ChangeListener;
  readonly #health: HealthService;
  readonly #metrics: MetricsServer | null;
  readonly #redis: RedisRateLimitStorage | null;
  readonly #clicks: Clicks;
  readonly #linkTraffic: LinkTrafficParts;
  readonly #drain: Drain;
  /** Null in a process on the database of the primary. */
  readonly #regional: { contact: PrimaryContact; claims: AdaptivePool; pools: AdaptivePool[] } | null;

  private constructor(
    private readonly environment: Environment,
    metrics: Metrics | null,
    region: Region | null,
    redisOf: (local: InMemoryRateLimitStorage) => RedisRateLimitStorage | null,
    private readonly clickHouse: ClickHouse | null,
  ) {
    const { config, database, log, clock = new Clock(), tracing } = environment;
    const hosts = new LinkHosts(config.linkBaseUrl, config.apiBaseUrl);
    const pools = new PoolFactory(database.url, log, metrics);
    this.changeListener = new ChangeListener(database.directUrl, (message) => log.warn(message), clock);
    metrics?.watch({ signpost_change_listener_up: () => Number(this.changeListener.current) });
    const local = new InMemoryRateLimitStorage(clock);
    this.#redis = redisOf(local);
    this.#redis?.watchedBy(metrics);
    this.#clicks = new Clicks({ settings: config.clicks, pools, log, metrics, clickHouse, isRegion: region !== null });
    this.#regional = region && this.#openRegion(region, config.primaryDatabaseUrl!, metrics);
    this.#linkTraffic = new LinkTrafficParts({
      settings: { ...config.linkTraffic, tracing },
      database: { poolSize: config.databasePoolSize },
      rateLimit: config.rateLimit,
      hosts,
      pools,
      changeListener: this.changeListener,
      clicks: this.#clicks.recorder,
      rateLimits: this.#redis ?? (local satisfies ThrottlerStorage),
      clock,
      log,
      metrics,
      ...(region && this.#regional && { region: { code: region.code, primary: this.#regional.claims } }),
    });
    this.#health = new HealthService(new PgDatabaseState(this.#linkTraffic.reads), log);
    this.#metrics = metrics && new MetricsServer(metrics.registry);
    this.#drain = new Dispatcher(hosts, log, metrics).attach(this.server, {
      role: 'traffic',
      linkTraffic: this.#linkTraffic,
      health: healthListener(this.#health, log, metrics),
    });
  }

  /** Returns when the service listens. */
  static async start(environment: Environment): Promise<TrafficProcess> {
    const { config, log } = environment;
    const { metricsPort } = config;
    const { redisUrl } = config.rateLimit;
    // The clients of Prometheus, Redis and ClickHouse are loaded only if they are used.
    const metrics =
      metricsPort === undefined ? null : new (await import('../platform/observability/metrics.js')).Metrics();
    const redis = redisUrl === undefined ? null : await import('../platform/rate-limit/redis-rate-limit-storage.js');
    const isRegion = config.primaryDatabaseUrl !== undefined;
    const region = isRegion ? await readRegion(environment.database.directUrl) : null;
    const clickHouse = await openClickHouse(config.clickHouse, metrics);
    const service = new TrafficProcess(
      environment,
      metrics,
      region,
      (local) =>
        redis && redisUrl !== undefined
          ? new redis.RedisRateLimitStorage(redisUrl, local, (message) => log.warn(message))
          : null,
      clickHouse,
    );
    await service.#start();
    return service;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Undefined if metrics are off. */
  get metricsPort(): number | undefined {
    return this.#metrics?.port;
  }

  #openRegion(region: Region, primaryUrl: string, metrics: Metrics | null) {
    const { database, log } = this.environment;
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

  async #start(): Promise<void> {
    const { host, port, metricsPort } = this.environment.config;
    await this.changeListener.start();
    await this.#clicks.start();
    await this.#linkTraffic.start();
    this.#regional?.contact.start();
    if (metricsPort !== undefined) await this.#metrics?.listen(metricsPort, host);
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.#health.listening({
      role: 'traffic',
      changeListener: this.changeListener,
      redis: this.#redis ?? undefined,
      clickHouse: this.clickHouse ?? undefined,
      region: this.#regional?.contact,
    });
  }

  /** Answers what is in flight, writes what waits, and closes all connections. */
  async stop(): Promise<void> {
    const { shutdownDelayMs, shutdownTimeoutMs } = this.environment.config;
    this.#health.drain();
    this.#drain.begin();
    await sleep(shutdownDelayMs);
    await this.#drain.close(shutdownTimeoutMs);
    this.#clicks.flush();
    this.#linkTraffic.flush();
    await Promise.all([this.#clicks.close(), this.#linkTraffic.close(), this.changeListener.stop()]);
    await this.#regional?.contact.stop();
    const ended = Promise.all(this.#regional?.pools.map((pool) => pool.end()) ?? []);
    // A statement that is cut off by the end of the process is sent again by the next one.
    await Promise.race([ended, sleep(endTimeoutMs, undefined, { ref: false })]);
    this.#redis?.close();
    await this.clickHouse?.close();
    await this.#metrics?.close();
  }
}
