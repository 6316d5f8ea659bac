import type { ChangeListener, Changes } from '../platform/postgres/change-listener';
import { isUndefinedTable } from '../platform/postgres/database-error';
import { hostnameOf, type LinkHosts } from '../management-api/link-paths/link-hosts';
import type { CustomHostRepository } from './custom-host.repository';
import { type Site, siteOfCustomDomain } from './site';

/** Milliseconds between two looks whether announcements are still heard, and nothing is left to be learnt. */
const lookInterval = 100;

/** Milliseconds after a query before the same is asked again, because announcements are not heard or the query failed. */
const rest = 300;

/** What may at most be spent on learning everything again and again. */
const share = 1 / 20;

/**
 * All custom domains that were proved, by heart: whether a host is one is asked for every request that is not under the link
 * domain, and must neither wait for the database nor cost a query that anybody could cause. Announcements keep it true; without
 * a database it stays as it was. Which project a host leads to is not decided here, but by `LinkResolver`.
 */
export class VerifiedDomainIndex {
  #hosts = new Map<string, Site>();
  /** What may have changed since it was learnt. */
  #unsure: Set<string> | 'everything' = 'everything';
  #learning: Promise<void> | undefined;
  #failing = false;
  /** When the next look is worth while, by `performance.now`. */
  #restUntil = -Infinity;
  #stopped = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly domains: CustomHostRepository,
    private readonly changeListener: Pick<ChangeListener, 'current' | 'onChanges' | 'onLost'>,
    private readonly linkHosts: LinkHosts,
    private readonly onError: (error: unknown) => void,
  ) {
    changeListener.onChanges((changes) => this.#hear(changes));
    changeListener.onLost(() => {
      this.#unsure = 'everything';
      this.#learnSoon();
    });
    this.#timer = setInterval(() => this.#look(), lookInterval).unref();
  }

  /**
   * Returns when it knows them. Before the migration that makes their table there is nothing to know: the process listens, says
   * that it has not started (`/health/startup`), and learns them as soon as they can be learnt.
   * @throws what else the database says
   */
  async start(): Promise<void> {
    await this.#learn().catch((error: unknown) => {
      if (!isUndefinedTable(error)) throw error;
    });
  }

  get size(): number {
    return this.#hosts.size;
  }

  /** Null where the host is no custom domain. `host` is a `Host` header: its port does not matter, nor its letter case. */
  siteOf(host: string | undefined): Site | null {
    if (host === undefined || this.#hosts.size === 0) return null;
    return this.#hosts.get(hostnameOf(host)) ?? null;
  }

  async stop(): Promise<void> {
    this.#stopped = true; // announcements end later, and are heard to
    clearInterval(this.#timer);
    await this.#learning?.catch(() => {});
  }

  #hear({ hosts }: Changes): void {
    if (hosts === undefined) return;
    if (this.#unsure !== 'everything') for (const hostname of hosts) this.#unsure.add(hostname);
    this.#learnSoon();
  }

  #look(): void {
    if (performance.now() < this.#restUntil) return;
    if (!this.changeListener.current) this.#unsure = 'everything';
    this.#learnSoon();
  }

  /** What fails is tried again at the next look. */
  #learnSoon(): void {
    if (this.#stopped || this.#learning) return; // which goes on until nothing is unsure
    this.#learn().then(
      () => (this.#failing = false),
      (error: unknown) => {
        if (!this.#failing) this.onError(error);
        this.#failing = true;
        this.#restUntil = performance.now() + rest;
      },
    );
  }

  #learn(): Promise<void> {
    return (this.#learning ??= this.#learnUnsure().finally(() => (this.#learning = undefined)));
  }

  async #learnUnsure(): Promise<void> {
    while (!this.#stopped && (this.#unsure === 'everything' || this.#unsure.size > 0)) {
      const asked = this.#unsure;
      this.#unsure = new Set();
      try {
        await (asked === 'everything' ? this.#learnAll() : this.#learnSome([...asked]));
      } catch (error) {
        // What was heard meanwhile is unsure as well.
        this.#unsure = asked === 'everything' ? asked : union(asked, this.#unsure);
        throw error;
      }
    }
  }

  async #learnAll(): Promise<void> {
    const startedAt = performance.now();
    const verified = await this.domains.listVerified();
    this.#hosts = new Map();
    for (const hostname of verified) this.#add(hostname);
    const now = performance.now();
    this.#restUntil = now + Math.max(rest, (now - startedAt) / share);
  }

  async #learnSome(hostnames: string[]): Promise<void> {
    const verified = await this.domains.findVerified(hostnames);
    for (const hostname of hostnames) this.#hosts.delete(hostname);
    for (const hostname of verified) this.#add(hostname);
  }

  /** The settings go first, which may have changed since a host of them was claimed. */
  #add(hostname: string): void {
    if (!this.linkHosts.isOwn(hostname)) this.#hosts.set(hostname, siteOfCustomDomain(hostname));
  }
}

const union = (asked: Set<string>, since: Set<string> | 'everything'): Set<string> | 'everything' =>
  since === 'everything' ? since : new Set([...asked, ...since]);
