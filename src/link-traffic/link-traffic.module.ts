import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Pool } from 'pg';
import type { ClickRecorder } from '../clicks/click-recorder';
import type { LevelWithSilent } from 'pino';
import type { ChangeListener } from '../platform/postgres/change-listener';
import { poolOptions } from '../platform/postgres/connection';
import { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { keepContexts } from '../platform/postgres/keep-contexts';
import { closeWhenReadOnly } from '../platform/postgres/read-only';
import { DeferredLinksService } from './deferred-links/deferred-links.service';
import { PgDeferredLinkRepository } from './deferred-links/pg-deferred-link.repository';
import { ClientAddresses } from '../platform/http/client-address';
import { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import type { LinkHosts } from '../management-api/link-paths/link-hosts';
import type { Clock } from '../shared/clock';
import type { Metrics, Sources } from '../platform/observability/metrics';
import type { Log } from '../platform/observability/log';
import { ClickReader } from './click-reader';
import type { Tracing } from '../platform/observability/tracing.otel';
import { TlsAskHandler } from './tls-ask-handler';
import { VerifiedDomainIndex } from './verified-domain-index';
import { DeferredLinkClaims } from './deferred-link-claims';
import { LinkTraffic } from './handler';
import { LinkResolver } from './link-resolver';
import { PgCustomHostRepository } from './pg-custom-host.repository';
import { PgVisitedLinkRepository } from './pg-visited-link.repository';
import { type Site, siteOfLabel } from './site';
import { VisitReports } from './visit-reports';
import { Visits } from './visits';

/** What link traffic needs of the settings. */
interface Settings {
  databasePoolSize: number;
  linkCacheBytes: number;
  rateLimitPerMinute: number;
  trustedProxies: string[];
  countryHeader: string | undefined;
  visitLogLevel: LevelWithSilent;
}

/** Connections for what link traffic writes: apart, so that no visitor waits behind a write. */
const writers = 2;

/** Link traffic with all that it stands on. It is put together by hand: it lives outside Nest. */
export class LinkTrafficModule {
  /** What the front door hands requests to. */
  readonly doors: {
    siteOf: (host: string | undefined) => Site | null;
    linkTraffic: LinkTraffic['handle'];
    tlsAsk: TlsAskHandler['take'];
  };
  readonly #customHosts: VerifiedDomainIndex;
  readonly #deferredLinks: DeferredLinksService;
  readonly #resolver: LinkResolver;
  readonly #pools: Pool[];

  constructor(parts: {
    config: Settings;
    databaseUrl: string;
    changeListener: ChangeListener;
    /** Null where clicks are not recorded. */
    clicks: ClickRecorder | null;
    hosts: LinkHosts;
    log: Log;
    clock: Clock;
    /** Where claims are counted, with the requests of the management API. */
    rateLimitStorage: ThrottlerStorage;
    metrics: Metrics | undefined;
    tracing: Tracing | undefined;
  }) {
    const { config, databaseUrl, changeListener, clicks, hosts, log, clock, rateLimitStorage, metrics, tracing } =
      parts;
    const reads = new AdaptivePool(poolOptions(databaseUrl, { max: config.databasePoolSize, name: 'link traffic' }));
    const writes = new AdaptivePool(poolOptions(databaseUrl, { max: writers, name: 'link traffic writes' }));
    closeWhenReadOnly(writes);
    this.#pools = [reads, writes];
    for (const pool of this.#pools) {
      pool.on('error', (error) => log.warn(`an idle database connection was lost: ${error.message}`));
      keepContexts(pool);
    }
    this.#deferredLinks = new DeferredLinksService(new PgDeferredLinkRepository(writes), clock, (error) =>
      log.warn(`deferred links are not written yet: ${(error as Error).message}`),
    );
    this.#resolver = new LinkResolver(new PgVisitedLinkRepository(reads), changeListener, clock, config.linkCacheBytes);
    const addresses = new ClientAddresses(config.trustedProxies);
    const customHosts = new VerifiedDomainIndex(new PgCustomHostRepository(reads), changeListener, hosts, (error) =>
      log.warn(`custom domains are not up to date: ${(error as Error).message}`),
    );
    this.#customHosts = customHosts;
    const handler = new LinkTraffic(
      this.#resolver,
      new Visits(
        hosts,
        this.#deferredLinks,
        addresses,
        new InMemoryRateLimitStorage(clock),
        new ClickReader(addresses, config.countryHeader, clock),
        clicks,
      ),
      new DeferredLinkClaims(
        this.#deferredLinks,
        hosts,
        addresses,
        rateLimitStorage,
        config.rateLimitPerMinute,
        clock,
        log.logger,
      ),
      log.logger,
      new VisitReports(log.logger, config.visitLogLevel, tracing),
      metrics,
    );
    const questions = new TlsAskHandler(this.#resolver, customHosts, hosts, log.logger, metrics);
    this.doors = {
      siteOf: (host) => {
        const label = hosts.labelOf(host);
        return label === null ? customHosts.siteOf(host) : siteOfLabel(label);
      },
      linkTraffic: (site, request, response) => handler.handle(site, request, response),
      tlsAsk: (request, response) => questions.take(request, response),
    };
  }

  /** To be called before the first visitor. */
  async start(): Promise<void> {
    await this.#customHosts.start();
  }

  /** What the metrics read. */
  get sources(): Pick<Sources, 'caches' | 'pools' | 'deferredLinksWaiting'> {
    const [reads, writes] = this.#pools as [Pool, Pool];
    return {
      caches: this.#resolver.caches,
      pools: { 'link traffic': reads, 'link traffic writes': writes },
      deferredLinksWaiting: () => this.#deferredLinks.waiting,
    };
  }

  /** Writes what waits to be written, and lets go of the database. */
  async close(): Promise<void> {
    await this.#customHosts.stop();
    await this.#deferredLinks.stop();
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}
