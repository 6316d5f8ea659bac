import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricDescriptions } from './metric-descriptions';
import { versionOfThis } from './version';

interface CacheState {
  counts: { hits: number; misses: number; evictions: number; stale: number };
  size: number;
}

/** A value, or values with their labels. */
type Values = number | (readonly [labels: Record<string, string>, value: number])[];

interface Shares {
  readonly waiting: number;
  readonly refused: number;
}

interface PoolState {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

type Name = keyof typeof metricDescriptions;

/**
 * Defines all metrics for Prometheus. Labels are bounded: routes by their templates, never paths, hosts or ids. Names and base
 * units follow https://prometheus.io/docs/practices/naming/. Each scrape reads the sources that modules
 * registered with `watch…`.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #caches = new Map<string, CacheState>();
  readonly #pools = new Map<string, PoolState>();
  readonly #requests = new Counter(this.#definition('signpost_http_requests_total'));
  readonly #durations = new Histogram({
    ...this.#definition('signpost_http_request_duration_seconds'),
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  readonly #answers = new Counter(this.#definition('signpost_link_answers_total'));
  readonly #rateLimited = new Counter(this.#definition('signpost_rate_limited_total'));

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    const build = { version: versionOfThis(), node: process.version };
    this.#watch('signpost_build_info', () => [[build, 1]]);
    const caches = () => [...this.#caches];
    this.#watch('signpost_link_cache_requests_total', () =>
      caches().flatMap(([cache, { counts }]) => [
        [{ cache, result: 'hit' }, counts.hits] as const,
        [{ cache, result: 'miss' }, counts.misses] as const,
        [{ cache, result: 'stale' }, counts.stale] as const,
      ]),
    );
    this.#watch('signpost_link_cache_evictions_total', () =>
      caches().map(([cache, { counts }]) => [{ cache }, counts.evictions]),
    );
    this.#watch('signpost_link_cache_entries', () => caches().map(([cache, { size }]) => [{ cache }, size]));
    this.#watch('signpost_database_pool_connections', () =>
      [...this.#pools].flatMap(([pool, { totalCount, idleCount }]) => [
        [{ pool, state: 'idle' }, idleCount] as const,
        [{ pool, state: 'busy' }, totalCount - idleCount] as const,
      ]),
    );
    this.#watch('signpost_database_pool_waiting', () =>
      [...this.#pools].map(([pool, { waitingCount }]) => [{ pool }, waitingCount]),
    );
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

  watchTenantConnections(shares: Shares): void {
    this.#watch('signpost_database_share_waiting', () => shares.waiting);
    this.#watch('signpost_database_share_refused_total', () => shares.refused);
  }

  watchChangeListener(listener: { readonly current: boolean }): void {
    this.#watch('signpost_change_listener_up', () => Number(listener.current));
  }

  watchRegion(region: {
    readonly lagMs: number | null;
    readonly isUp: boolean;
    readonly undeliveredClicks: number | null;
  }): void {
    this.#watch('signpost_region_lag_seconds', () => (region.lagMs === null ? NaN : region.lagMs / 1000));
    this.#watch('signpost_region_primary_up', () => Number(region.isUp));
    this.#watch('signpost_region_clicks_undelivered', () => region.undeliveredClicks ?? NaN);
  }

  /** Watches the regions of a primary. */
  watchRegionSlots(regions: {
    readonly slots: readonly { name: string; connected: boolean; retainedBytes: number | null }[];
  }): void {
    this.#watch('signpost_region_connected', () =>
      regions.slots.map(({ name, connected }) => [{ region: name }, Number(connected)]),
    );
    this.#watch('signpost_region_retained_wal_bytes', () =>
      regions.slots.flatMap(({ name, retainedBytes }) =>
        retainedBytes === null ? [] : [[{ region: name }, retainedBytes] as const],
      ),
    );
  }

  watchPacer(pacer: { readonly waiting: number }): void {
    this.#watch('signpost_api_paced_requests', () => pacer.waiting);
  }

  watchExports(exports: { readonly running: number }): void {
    this.#watch('signpost_exports_running', () => exports.running);
  }

  watchResponses(
    queue: { readonly waiting: number; readonly cut: number },
    unread: { readonly bytes: number; readonly cut: number; readonly stalled: number },
  ): void {
    this.#watch('signpost_http_waiting_requests', () => queue.waiting);
    this.#watch('signpost_http_unread_bytes', () => unread.bytes);
    this.#watchBy('signpost_http_connections_reset_total', () => ({
      stalled: unread.stalled,
      'unread-bytes': unread.cut,
      'waiting-requests': queue.cut,
    }));
  }

  /** Registers the state of Redis. A process without Redis has no such metric, because the alert would fire. */
  watchRateLimits(storage: { readonly shared: boolean | null }): void {
    this.#watch('signpost_rate_limit_store_up', () => (storage.shared === null ? [] : Number(storage.shared)));
  }

  watchDeferredLinks(links: { readonly waiting: number }): void {
    this.#watch('signpost_deferred_links_waiting', () => links.waiting);
  }

  watchOpens(counts: () => Record<'received' | 'recorded' | 'waiting' | 'dropped', number>): void {
    this.#watch('signpost_opens_received_total', () => counts().received);
    this.#watch('signpost_opens_recorded_total', () => counts().recorded);
    this.#watch('signpost_opens_waiting', () => counts().waiting);
    this.#watch('signpost_opens_dropped_total', () => counts().dropped);
  }

  watchClicks(counts: () => Record<'recorded' | 'waiting' | 'dropped', number>): void {
    this.#watch('signpost_clicks_waiting', () => counts().waiting);
    this.#watch('signpost_clicks_recorded_total', () => counts().recorded);
    this.#watch('signpost_clicks_dropped_total', () => counts().dropped);
  }

  /** Registers the state of ClickHouse. A process without it has no such metric, because the alert would fire. */
  watchClickHouse(clickHouse: { readonly up: boolean; readonly shares: Shares }): void {
    const { shares } = clickHouse;
    this.#watch('signpost_clickhouse_up', () => Number(clickHouse.up));
    this.#watch('signpost_clickhouse_share_waiting', () => shares.waiting);
    this.#watch('signpost_clickhouse_share_refused_total', () => shares.refused);
  }

  watchKeySet(ageMs: () => number): void {
    this.#watch('signpost_identity_provider_keys_age_seconds', () => ageMs() / 1000);
  }

  watchCustomDomains(checks: { readonly missing: number; readonly counts: Record<string, number> }): void {
    this.#watch('signpost_custom_domains_record_missing', () => checks.missing);
    this.#watchBy('signpost_custom_domain_checks_total', () => checks.counts);
  }

  watchImports(counts: Readonly<Record<'rows' | 'failures' | 'answered' | 'limited' | 'failed', number>>): void {
    this.#watch('signpost_import_rows_total', () => counts.rows);
    this.#watch('signpost_import_failures_total', () => counts.failures);
    this.#watchBy('signpost_import_api_requests_total', () => ({
      answered: counts.answered,
      limited: counts.limited,
      failed: counts.failed,
    }));
  }

  /** Defines a metric with one label, whose values are the keys. */
  #watchBy(name: Name, read: () => Record<string, number>): void {
    const [, label = ''] = metricDescriptions[name];
    this.#watch(name, () => Object.entries(read()).map(([value, count]) => [{ [label]: value }, count]));
  }

  /** Defines a metric whose values are read at each scrape. */
  #watch(name: Name, read: () => Values): void {
    const definition = this.#definition(name);
    const write = (metric: Gauge | Counter) => {
      metric.reset();
      if (definition.labelNames.length === 0) metric.remove();
      const values = read();
      for (const [labels, value] of typeof values === 'number' ? [[{}, values] as const] : values)
        if (metric instanceof Gauge) metric.set(labels, value);
        else metric.inc(labels, value);
    };
    const collect = function (this: Gauge | Counter) {
      write(this);
    };
    if (name.endsWith('_total')) new Counter({ ...definition, collect });
    else new Gauge({ ...definition, collect });
  }

  #definition(name: Name) {
    const [help, ...labelNames] = metricDescriptions[name];
    return { name, help, labelNames, registers: [this.registry] };
  }
}

/** Other methods are counted as one, because clients can invent any number of them. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
