import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeListener } from '../../platform/change-notifications/change-listener';
import { isUndefinedTable } from '../../platform/postgres/database-error';
import { hostnameOf, type LinkHosts } from '../../link-paths/paths/link-hosts';
import { type Site, siteOfCustomDomain } from './site';

const checkIntervalMs = 100;

/** The delay before a repeated query, while the change listener is disconnected or after a failure. */
const minReloadPauseMs = 300;

/** The database answered a moment ago, but a busy one may exceed the time limit of a connection. */
const maxStartAttempts = 5;
const startRetryDelayMs = 500;

/**
 * The pause per domain after a reload, which takes 1.6 µs per domain. So repeated reloads take a twentieth of the time. It
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
  #isStale = true;
  #reloading: Promise<void> | undefined;
  #failing = false;
  #pausedUntil = -Infinity;
  #stopped = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly listVerified: () => Promise<string[]>,
    private readonly changeListener: Pick<ChangeListener, 'current' | 'onChanges' | 'onLost'>,
    private readonly linkHosts: LinkHosts,
    private readonly onError: (error: unknown) => void,
  ) {
    changeListener.onChanges(({ hosts }) => {
      if (hosts !== undefined) this.#invalidate();
    });
    changeListener.onLost(() => this.#invalidate());
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

  #invalidate(): void {
    this.#isStale = true;
    this.#reloadSoon();
  }

  #check(): void {
    if (this.#reloading || performance.now() < this.#pausedUntil) return;
    if (!this.changeListener.current) this.#isStale = true;
    this.#reloadSoon();
  }

  /** Reloads the domains if they are stale. The next check retries after a failure. */
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
    while (!this.#stopped && this.#isStale) {
      this.#isStale = false;
      try {
        await this.#load();
      } catch (error) {
        this.#isStale = true;
        throw error;
      }
    }
  }

  async #load(): Promise<void> {
    const verified = await this.listVerified();
    // Hosts of the settings take precedence, and may have changed since the domain was added.
    const served = verified.filter((hostname) => !this.linkHosts.isOwn(hostname));
    this.#hosts = new Map(served.map((hostname) => [hostname, siteOfCustomDomain(hostname)]));
    this.#pausedUntil = performance.now() + Math.max(minReloadPauseMs, verified.length * reloadPausePerDomainMs);
  }
}
