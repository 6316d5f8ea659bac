import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { versionOfThis } from './version';

interface CacheState {
  counts: { hits: number; misses: number; evictions: number; stale: number };
  size: number;
}

interface PoolState {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

interface ClickCounts {
  recorded: number;
  waiting: number;
  dropped: number;
}

/**
 * Defines all metrics for Prometheus. Labels are bounded: routes by their templates, never paths, hosts or ids. Names and base
 * units follow https://prometheus.io/docs/practices/naming/. Each scrape reads the sources that modules
 * registered with `watch…`.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #caches = new Map<string, CacheState>();
  readonly #pools = new Map<string, PoolState>();
  readonly #requests = new Counter({
    name: 'signpost_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['listener', 'method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly #durations = new Histogram({
    name: 'signpost_http_request_duration_seconds',
    help: 'Seconds until a request was answered.',
    labelNames: ['listener'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  });
  readonly #answers = new Counter({
    name: 'signpost_link_answers_total',
    help: 'Answers of link hosts, by kind.',
    labelNames: ['answer'],
    registers: [this.registry],
  });
  readonly #rateLimited = new Counter({
    name: 'signpost_rate_limited_total',
    help: 'Requests refused with 429.',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    const build = new Gauge({
      name: 'signpost_build_info',
      help: 'Always 1. The labels contain the version.',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    });
    build.set({ version: versionOfThis(), node: process.version }, 1);
    this.#defineCacheMetrics();
    this.#definePoolMetrics();
  }

  request(listener: 'api' | 'traffic', method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ listener, method: knownMethods.has(method) ? method : 'other', route, status });
    this.#durations.observe({ listener }, seconds);
    if (status === 429) this.#rateLimited.inc();
  }

  linkAnswer(answer: string): void {
    this.#answers.inc({ answer });
  }

  watchPool(name: string, pool: PoolState): void {
    this.#pools.set(name, pool);
  }

  watchCache(name: string, cache: CacheState): void {
    this.#caches.set(name, cache);
  }

  watchTenantConnections(shares: { readonly waiting: number; readonly refused: number }): void {
    this.#gauge(
      'signpost_database_share_waiting',
      "Uses of the management API's pool that wait because their account has its share of it.",
      () => shares.waiting,
    );
    this.#total(
      'signpost_database_share_refused_total',
      'Uses of the pool that were refused with 429 because their account had its share of it.',
      () => shares.refused,
    );
  }

  watchChangeListener(listener: { readonly current: boolean }): void {
    this.#gauge('signpost_change_listener_up', 'Whether the process receives notifications of changes.', () =>
      Number(listener.current),
    );
  }

  watchRegion(region: {
    readonly lagMs: number | null;
    readonly isUp: boolean;
    readonly undeliveredClicks: number | null;
  }): void {
    this.#gauge('signpost_region_lag_seconds', 'How old the replicated data of the region are.', () =>
      region.lagMs === null ? NaN : region.lagMs / 1000,
    );
    this.#gauge('signpost_region_primary_up', 'Whether the region has contact with its primary.', () =>
      Number(region.isUp),
    );
    this.#gauge(
      'signpost_region_clicks_undelivered',
      'Clicks of the region that the primary does not have yet. One process of the region counts them.',
      () => region.undeliveredClicks ?? NaN,
    );
  }

  /** Watches the regions of a primary. */
  watchRegionSlots(regions: {
    readonly slots: readonly { name: string; connected: boolean; retainedBytes: number | null }[];
  }): void {
    new Gauge({
      name: 'signpost_region_connected',
      help: 'Whether the database of a region receives changes from this primary.',
      labelNames: ['region'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { name, connected } of regions.slots) this.set({ region: name }, Number(connected));
      },
    });
    new Gauge({
      name: 'signpost_region_retained_wal_bytes',
      help: 'Write-ahead log that this primary keeps for a region; absent if its slot is lost.',
      labelNames: ['region'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { name, retainedBytes } of regions.slots)
          if (retainedBytes !== null) this.set({ region: name }, retainedBytes);
      },
    });
  }

  watchPacer(pacer: { readonly waiting: number }): void {
    this.#gauge(
      'signpost_api_paced_requests',
      'Requests of the management API that wait for their turn in a burst.',
      () => pacer.waiting,
    );
  }

  watchExports(exports: { readonly running: number }): void {
    this.#gauge('signpost_exports_running', 'Exports that clients read now.', () => exports.running);
  }

  watchResponses(
    queue: { readonly waiting: number; readonly cut: number },
    unread: { readonly bytes: number; readonly cut: number; readonly stalled: number },
  ): void {
    this.#gauge(
      'signpost_http_waiting_requests',
      'Pipelined requests that wait for an earlier response of their connection.',
      () => queue.waiting,
    );
    this.#gauge(
      'signpost_http_unread_bytes',
      'Bytes of large responses that clients have not read.',
      () => unread.bytes,
    );
    new Counter({
      name: 'signpost_http_connections_reset_total',
      help: 'Connections reset, by reason; stalled: the client did not read; others: a limit of the process was reached.',
      labelNames: ['reason'],
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc({ reason: 'stalled' }, unread.stalled);
        this.inc({ reason: 'unread-bytes' }, unread.cut);
        this.inc({ reason: 'waiting-requests' }, queue.cut);
      },
    });
  }

  /** Registers the state of Redis. A process without Redis has no such metric, because the alert would fire. */
  watchRateLimits(storage: { readonly shared: boolean | null }): void {
    new Gauge({
      name: 'signpost_rate_limit_store_up',
      help: 'Whether rate limits are counted over all replicas; absent before the first check.',
      registers: [this.registry],
      collect() {
        if (storage.shared === null) this.remove();
        else this.set(Number(storage.shared));
      },
    });
  }

  watchDeferredLinks(links: { readonly waiting: number }): void {
    this.#gauge('signpost_deferred_links_waiting', 'Tokens that wait to be written.', () => links.waiting);
  }

  watchClicks(counts: () => ClickCounts): void {
    this.#gauge('signpost_clicks_waiting', 'Clicks that wait to be written.', () => counts().waiting);
    this.#total('signpost_clicks_recorded_total', 'Clicks written.', () => counts().recorded);
    this.#total(
      'signpost_clicks_dropped_total',
      'Clicks that statistics lost, because too many waited or the process stopped.',
      () => counts().dropped,
    );
  }

  /** Registers the state of ClickHouse. A process without it has no such metric, because the alert would fire. */
  watchClickHouse(clickHouse: { readonly up: boolean }): void {
    this.#gauge('signpost_clickhouse_up', 'Whether ClickHouse answers and took the last clicks.', () =>
      Number(clickHouse.up),
    );
  }

  watchClickHouseShares(shares: { readonly waiting: number; readonly refused: number }): void {
    this.#gauge(
      'signpost_clickhouse_share_waiting',
      'Reads of ClickHouse that wait because their account has its share of the connections.',
      () => shares.waiting,
    );
    this.#total(
      'signpost_clickhouse_share_refused_total',
      'Reads of ClickHouse that were refused with 429 because their account had its share of the connections.',
      () => shares.refused,
    );
  }

  watchKeySet(ageMs: () => number): void {
    this.#gauge(
      'signpost_identity_provider_keys_age_seconds',
      'Since the keys of the identity provider were read, or since the start.',
      () => ageMs() / 1000,
    );
  }

  watchCustomDomains(checks: { readonly missing: number; readonly counts: Record<string, number> }): void {
    this.#gauge(
      'signpost_custom_domains_record_missing',
      'Verified custom domains whose record is missing.',
      () => checks.missing,
    );
    new Counter({
      name: 'signpost_custom_domain_checks_total',
      help: 'Checks of the records of verified custom domains, by result; unanswered: the DNS did not answer.',
      labelNames: ['result'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(checks.counts)) this.inc({ result }, count);
      },
    });
  }

  watchImports(counts: Readonly<Record<'rows' | 'failures' | 'answered' | 'limited' | 'failed', number>>): void {
    this.#total('signpost_import_rows_total', 'Rows of imports processed, by dry runs and runs.', () => counts.rows);
    this.#total(
      'signpost_import_failures_total',
      'Parts of imports that failed and are tried again.',
      () => counts.failures,
    );
    new Counter({
      name: 'signpost_import_api_requests_total',
      help: 'Requests to the APIs of other systems, by result; limited: the API wants fewer of them.',
      labelNames: ['result'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const result of ['answered', 'limited', 'failed'] as const) this.inc({ result }, counts[result]);
      },
    });
  }

  #defineCacheMetrics(): void {
    const caches = this.#caches;
    new Counter({
      name: 'signpost_link_cache_requests_total',
      help: 'Cache look-ups, by result; stale: answered from the cache because the database did not answer.',
      labelNames: ['cache', 'result'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [cache, { counts }] of caches) {
          this.inc({ cache, result: 'hit' }, counts.hits);
          this.inc({ cache, result: 'miss' }, counts.misses);
          this.inc({ cache, result: 'stale' }, counts.stale);
        }
      },
    });
    new Counter({
      name: 'signpost_link_cache_evictions_total',
      help: 'Entries evicted by notifications of changes.',
      labelNames: ['cache'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [cache, { counts }] of caches) this.inc({ cache }, counts.evictions);
      },
    });
    new Gauge({
      name: 'signpost_link_cache_entries',
      help: 'Cached entries.',
      labelNames: ['cache'],
      registers: [this.registry],
      collect() {
        for (const [cache, { size }] of caches) this.set({ cache }, size);
      },
    });
  }

  #definePoolMetrics(): void {
    const pools = this.#pools;
    new Gauge({
      name: 'signpost_database_pool_connections',
      help: 'Connections, by state.',
      labelNames: ['pool', 'state'],
      registers: [this.registry],
      collect() {
        for (const [pool, { totalCount, idleCount }] of pools) {
          this.set({ pool, state: 'idle' }, idleCount);
          this.set({ pool, state: 'busy' }, totalCount - idleCount);
        }
      },
    });
    new Gauge({
      name: 'signpost_database_pool_waiting',
      help: 'Queries that wait for a connection.',
      labelNames: ['pool'],
      registers: [this.registry],
      collect() {
        for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
      },
    });
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  #total(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

/** Other methods are counted as one, because clients can invent any number of them. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
