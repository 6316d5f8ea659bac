import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeListener, Changes } from '../platform/change-notifications/change-listener';
import { isUndefinedTable } from '../platform/postgres/database-error';
import { hostnameOf, type LinkHosts } from '../links/link-paths/link-hosts';
import type { PgVerifiedDomainRepository } from './pg-verified-domain.repository';
import { type Site, siteOfCustomDomain } from './site';

const checkIntervalMs = 100;

/** The delay before a repeated query, while the change listener is disconnected or after a failure. */
const minReloadPauseMs = 300;

/** The database answered a moment ago, but a busy one may exceed the time limit of a connection. */
const maxStartAttempts = 5;
const startRetryDelayMs = 500;

/**
 * The pause per domain after a full reload, which takes 1.6 µs per domain. So repeated reloads take a twentieth of the time. It
 * depends on the number of domains and not on the time of the query: a slow answer must not delay changes beyond a second.
 */
const reloadPausePerDomainMs = 0.03;

/**
 * Keeps all verified custom domains in memory. Every request outside the link domain reads it, so a look-up must neither wait
 * for the database nor cause a query. Notifications keep it current; without a database it keeps its last state. `LinkResolver`
 * decides which project a host belongs to.
 */
export class VerifiedDomainIndex {
  #hosts = new Map<string, Site>();
  /** Host names that may have changed since they were loaded. */
  #stale: Set<string> | 'all' = 'all';
  #reloading: Promise<void> | undefined;
  #failing = false;
  /** The time of the next check, by `performance.now`. */
  #pausedUntil = -Infinity;
  #stopped = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly domains: Pick<PgVerifiedDomainRepository, 'listVerified' | 'findVerified'>,
    private readonly changeListener: Pick<ChangeListener, 'current' | 'onChanges' | 'onLost'>,
    private readonly linkHosts: LinkHosts,
    private readonly onError: (error: unknown) => void,
  ) {
    changeListener.onChanges((changes) => this.#invalidate(changes));
    changeListener.onLost(() => {
      this.#stale = 'all';
      this.#reloadSoon();
    });
    this.#timer = setInterval(() => this.#check(), checkIntervalMs).unref();
  }

  /**
   * Loads all domains. Before the migration that creates their table it stays empty and retries, because the process must
   * listen to report its state on `/health/startup`.
   * @throws any other database error that lasts
   */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#reload();
      } catch (error) {
        if (isUndefinedTable(error)) return;
        if (attempt === maxStartAttempts) throw error;
        await delay(startRetryDelayMs);
      }
  }

  get size(): number {
    return this.#hosts.size;
  }

  /** Returns null if `host` is no custom domain. `host` is a `Host` header; its port and letter case are ignored. */
  siteOf(host: string | undefined): Site | null {
    if (host === undefined || this.#hosts.size === 0) return null;
    return this.#hosts.get(hostnameOf(host)) ?? null;
  }

  async stop(): Promise<void> {
    this.#stopped = true; // notifications may still arrive
    clearInterval(this.#timer);
    await this.#reloading?.catch(() => {});
  }

  #invalidate({ hosts }: Changes): void {
    if (hosts === undefined) return;
    if (this.#stale !== 'all') for (const hostname of hosts) this.#stale.add(hostname);
    this.#reloadSoon();
  }

  #check(): void {
    if (this.#reloading || performance.now() < this.#pausedUntil) return;
    if (!this.changeListener.current) this.#stale = 'all';
    this.#reloadSoon();
  }

  /** Reloads stale entries. The next check retries after a failure. */
  #reloadSoon(): void {
    if (this.#stopped || this.#reloading) return; // a running reload continues until nothing is stale
    this.#reload().then(
      () => (this.#failing = false),
      (error: unknown) => {
        if (!this.#failing) this.onError(error);
        this.#failing = true;
        this.#pausedUntil = performance.now() + minReloadPauseMs;
      },
    );
  }

  #reload(): Promise<void> {
    return (this.#reloading ??= this.#reloadStale().finally(() => (this.#reloading = undefined)));
  }

  async #reloadStale(): Promise<void> {
    while (!this.#stopped && (this.#stale === 'all' || this.#stale.size > 0)) {
      const requested = this.#stale;
      this.#stale = new Set();
      try {
        await (requested === 'all' ? this.#loadAll() : this.#loadSome([...requested]));
      } catch (error) {
        // Includes the notifications received during the query.
        this.#stale = requested === 'all' ? requested : union(requested, this.#stale);
        throw error;
      }
    }
  }

  async #loadAll(): Promise<void> {
    const verified = await this.domains.listVerified();
    this.#hosts = new Map();
    for (const hostname of verified) this.#add(hostname);
    this.#pausedUntil = performance.now() + Math.max(minReloadPauseMs, verified.length * reloadPausePerDomainMs);
  }

  async #loadSome(hostnames: string[]): Promise<void> {
    const verified = await this.domains.findVerified(hostnames);
    for (const hostname of hostnames) this.#hosts.delete(hostname);
    for (const hostname of verified) this.#add(hostname);
  }

  /** Skips hosts of the settings, which take precedence and may have changed since the domain was added. */
  #add(hostname: string): void {
    if (!this.linkHosts.isOwn(hostname)) this.#hosts.set(hostname, siteOfCustomDomain(hostname));
  }
}

const union = (requested: Set<string>, received: Set<string> | 'all'): Set<string> | 'all' =>
  received === 'all' ? received : new Set([...requested, ...received]);
