import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { metricDescriptions } from './metric-descriptions';
import { versionOfThis } from '../../shared/package-root';

interface CacheState {
  counts: { hits: number; misses: number; evictions: number; stale: number };
  size: number;
}

/** A value, values by the only label of the metric, or values with their labels. */
type Values = number | Readonly<Record<string, number>> | (readonly [labels: Record<string, string>, value: number])[];

interface PoolState {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

type Name = keyof typeof metricDescriptions;

/**
 * Defines all metrics for Prometheus. Labels are bounded: routes by their templates, never paths, hosts or ids. Names and base
 * units follow https://prometheus.io/docs/practices/naming/. Each scrape reads the sources that modules
 * registered with `watch`.
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
    const ofCaches = <T>(values: (cache: string, state: CacheState) => T): T[] =>
      [...this.#caches].map(([cache, state]) => values(cache, state));
    this.watch({
      signpost_build_info: () => [[build, 1]],
      signpost_link_cache_requests_total: () =>
        ofCaches((cache, { counts }) => [
          [{ cache, result: 'hit' }, counts.hits] as const,
          [{ cache, result: 'miss' }, counts.misses] as const,
          [{ cache, result: 'stale' }, counts.stale] as const,
        ]).flat(),
      signpost_link_cache_evictions_total: () => ofCaches((cache, { counts }) => [{ cache }, counts.evictions]),
      signpost_link_cache_entries: () => ofCaches((cache, { size }) => [{ cache }, size]),
      signpost_database_pool_connections: () =>
        [...this.#pools].flatMap(([pool, { totalCount, idleCount }]) => [
          [{ pool, state: 'idle' }, idleCount] as const,
          [{ pool, state: 'busy' }, totalCount - idleCount] as const,
        ]),
      signpost_database_pool_waiting: () =>
        [...this.#pools].map(([pool, { waitingCount }]) => [{ pool }, waitingCount]),
    });
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

  /** Defines metrics whose values are read at each scrape. Without a call, a process does not have the metric. */
  watch(reads: Partial<Record<Name, () => Values>>): void {
    for (const [name, read] of Object.entries(reads)) this.#watch(name as Name, read);
  }

  watchKeySet(ageMs: () => number): void {
    this.watch({ signpost_identity_provider_keys_age_seconds: () => ageMs() / 1000 });
  }

  #watch(name: Name, read: () => Values): void {
    const definition = this.#definition(name);
    const [label = ''] = definition.labelNames;
    const labelled = (values: Exclude<Values, number>) =>
      values instanceof Array
        ? values
        : Object.entries(values).map(([value, count]) => [{ [label]: value }, count] as const);
    const write = (metric: Gauge | Counter) => {
      metric.reset();
      if (definition.labelNames.length === 0) metric.remove();
      const values = read();
      for (const [labels, value] of typeof values === 'number' ? [[{}, values] as const] : labelled(values))
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
