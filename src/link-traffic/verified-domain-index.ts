import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeListener } from '../platform/change-notifications/change-listener';
import { isUndefinedTable } from '../platform/postgres/database-error';
import { hostnameOf, type LinkHosts } from '../links/link-paths/link-hosts';
import { type Site, siteOfCustomDomain } from './site';

/** The pauses between two looks for a change, which must be visible within a second. */
const pauses = { minMs: 100, maxMs: 500 };

/** The pause per domain. A reload takes 1.6 µs per domain, so repeated reloads take a twentieth of the time. */
const pausePerDomainMs = 0.03;

/** The database answered a moment ago, but a busy one may exceed the time limit of a connection. */
const maxStartAttempts = 5;
const startRetryDelayMs = 500;

/**
 * Keeps all verified custom domains in memory. Every request outside the link domain reads it, so a look-up must neither wait
 * for the database nor cause a query. Notifications keep it current; without a database it keeps its last state. `LinkResolver`
 * decides which project a host belongs to.
 */
export class VerifiedDomainIndex {
  #hosts = new Map<string, Site>();
  #isStale = true;
  #isFailing = false;
  readonly #stopped = new AbortController();
  #following: Promise<void> | undefined;

  constructor(
    private readonly listVerified: () => Promise<string[]>,
    private readonly changeListener: Pick<ChangeListener, 'current' | 'onChanges' | 'onLost'>,
    private readonly linkHosts: LinkHosts,
    private readonly onError: (error: unknown) => void,
  ) {
    changeListener.onChanges(({ hosts }) => {
      if (hosts !== undefined) this.#isStale = true;
    });
    changeListener.onLost(() => (this.#isStale = true));
  }

  /**
   * Loads all domains. Before the migration that creates their table it stays empty and retries, because the process must
   * listen to report its state on `/health/startup`.
   * @throws any other database error that lasts
   */
  async start(): Promise<void> {
    for (let attempt = 1; this.#isStale; attempt++)
      try {
        await this.#load();
      } catch (error) {
        if (isUndefinedTable(error)) break;
        if (attempt === maxStartAttempts) throw error;
        await sleep(startRetryDelayMs);
      }
    this.#following = this.#follow();
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
    this.#stopped.abort();
    await this.#following;
  }

  /** Reloads the domains after changes, and repeatedly while changes are not received. */
  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      if (this.#isStale || !this.changeListener.current)
        await this.#load().then(
          () => (this.#isFailing = false),
          (error: unknown) => {
            if (!this.#isFailing) this.onError(error);
            this.#isFailing = true;
          },
        );
      const pauseMs = Math.max(pauses.minMs, Math.min(pauses.maxMs, this.#hosts.size * pausePerDomainMs));
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #load(): Promise<void> {
    this.#isStale = false;
    try {
      const verified = await this.listVerified();
      // Hosts of the settings take precedence, and may have changed since the domain was added.
      const served = verified.filter((hostname) => !this.linkHosts.isOwn(hostname));
      this.#hosts = new Map(served.map((hostname) => [hostname, siteOfCustomDomain(hostname)]));
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }
}
