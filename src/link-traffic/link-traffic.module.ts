import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { LevelWithSilent } from 'pino';
import { ClickRecorder } from '../clicks/click-recorder';
import { ClicksModule } from '../clicks/clicks.module';
import { LinkHosts } from '../management-api/link-paths/link-hosts';
import { ClientAddresses } from '../platform/http/client-address';
import { Log } from '../platform/observability/log';
import { Metrics } from '../platform/observability/metrics';
import { MetricsModule } from '../platform/observability/metrics.module';
import type { Tracing } from '../platform/observability/tracing.otel';
import type { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { ChangeListener } from '../platform/postgres/change-listener';
import { ChangeListenerModule } from '../platform/postgres/change-listener.module';
import { DatabaseSettings } from '../platform/postgres/database-settings';
import { keepContexts } from '../platform/postgres/keep-contexts';
import { PoolFactory } from '../platform/postgres/pool-factory';
import { PoolModule } from '../platform/postgres/pool.module';
import { closeWhenReadOnly } from '../platform/postgres/read-only';
import { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import { RateLimitSettings } from '../platform/rate-limit/rate-limit';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { Clock } from '../shared/clock';
import { AssociationFileCache } from './association-file-cache';
import { ClickReader } from './click-reader';
import { DeferredLinkClaims } from './deferred-link-claims';
import { DeferredLinksService } from './deferred-links/deferred-links.service';
import { PgDeferredLinkRepository } from './deferred-links/pg-deferred-link.repository';
import { LinkTraffic } from './handler';
import { LinkQrCodes } from './link-qr-codes';
import { LinkResolver } from './link-resolver';
import { PageCache } from './page-cache';
import { PgCustomHostRepository } from './pg-custom-host.repository';
import { PgVisitedLinkRepository } from './pg-visited-link.repository';
import { TlsAskHandler } from './tls-ask-handler';
import { VerifiedDomainIndex } from './verified-domain-index';
import { VisitedLinkRepository } from './visited-link.repository';
import { VisitReports } from './visit-reports';
import { Visits } from './visits';

export class LinkTrafficSettings {
  readonly linkCacheBytes: number;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` and country header are trusted. */
  readonly trustedProxies: string[];
  /** In lower case. */
  readonly countryHeader: string | undefined;
  readonly visitLogLevel: LevelWithSilent;
  readonly tracing: Tracing | undefined;
}

/** Connections for writes. Their pool is separate, so that no visitor waits behind a write. */
const maxWriters = 2;

/** Enough for some files of the maximum size, however small the link cache is. */
const minFileCacheBytes = 2_000_000;

/** Holds the pools of link traffic. */
class TrafficPools {
  readonly reads: AdaptivePool;
  readonly writes: AdaptivePool;

  constructor(pools: PoolFactory, maxReaders: number) {
    this.reads = pools.open('link traffic', maxReaders);
    this.writes = pools.open('link traffic writes', maxWriters);
    closeWhenReadOnly(this.writes);
    keepContexts(this.reads);
    keepContexts(this.writes);
  }
}

/**
 * Builds link traffic. Nest constructs, starts and stops these objects; it takes no part in a visit, which goes from the
 * listener (`src/app/listener.ts`) straight to `LinkTraffic`.
 */
@Module({
  imports: [PoolModule, ChangeListenerModule, ClicksModule, RateLimitModule, MetricsModule],
  providers: [
    {
      provide: TrafficPools,
      // Look-ups of visits share statements, so they need fewer connections than the management API.
      useFactory: (pools: PoolFactory, { poolSize }: DatabaseSettings) =>
        new TrafficPools(pools, Math.ceil(poolSize / 2)),
      inject: [PoolFactory, DatabaseSettings],
    },
    {
      provide: ClientAddresses,
      useFactory: ({ trustedProxies }: LinkTrafficSettings) => new ClientAddresses(trustedProxies),
      inject: [LinkTrafficSettings],
    },
    {
      provide: DeferredLinksService,
      useFactory: ({ writes }: TrafficPools, clock: Clock, log: Log, metrics: Metrics | null) => {
        const deferredLinks = new DeferredLinksService(new PgDeferredLinkRepository(writes), clock, (error) =>
          log.warn(`deferred links are not written yet: ${(error as Error).message}`),
        );
        metrics?.watchDeferredLinks(deferredLinks);
        return deferredLinks;
      },
      inject: [TrafficPools, Clock, Log, Metrics],
    },
    {
      provide: VerifiedDomainIndex,
      useFactory: ({ reads }: TrafficPools, changeListener: ChangeListener, hosts: LinkHosts, log: Log) =>
        new VerifiedDomainIndex(new PgCustomHostRepository(reads), changeListener, hosts, (error) =>
          log.warn(`custom domains are not up to date: ${(error as Error).message}`),
        ),
      inject: [TrafficPools, ChangeListener, LinkHosts, Log],
    },
    {
      provide: VisitedLinkRepository,
      useFactory: ({ reads }: TrafficPools, hosts: LinkHosts) => new PgVisitedLinkRepository(reads, hosts),
      inject: [TrafficPools, LinkHosts],
    },
    {
      provide: LinkResolver,
      useFactory: (
        repository: VisitedLinkRepository,
        changeListener: ChangeListener,
        clock: Clock,
        { linkCacheBytes }: LinkTrafficSettings,
        metrics: Metrics | null,
      ) => {
        const resolver = new LinkResolver(repository, changeListener, clock, linkCacheBytes);
        for (const [name, cache] of Object.entries(resolver.caches)) metrics?.watchCache(name, cache);
        return resolver;
      },
      inject: [VisitedLinkRepository, ChangeListener, Clock, LinkTrafficSettings, Metrics],
    },
    {
      provide: Visits,
      useFactory: (
        hosts: LinkHosts,
        deferredLinks: DeferredLinksService,
        addresses: ClientAddresses,
        { countryHeader, linkCacheBytes }: LinkTrafficSettings,
        clicks: ClickRecorder | null,
        clock: Clock,
        metrics: Metrics | null,
      ) => {
        const pages = new PageCache((linkCacheBytes * 7) / 32);
        metrics?.watchCache('pages', pages);
        return new Visits(
          hosts,
          deferredLinks,
          addresses,
          new InMemoryRateLimitStorage(clock),
          new ClickReader(addresses, countryHeader, clock),
          clicks,
          pages,
          new LinkQrCodes(linkCacheBytes / 32, clock),
        );
      },
      inject: [LinkHosts, DeferredLinksService, ClientAddresses, LinkTrafficSettings, ClickRecorder, Clock, Metrics],
    },
    {
      provide: DeferredLinkClaims,
      useFactory: (
        deferredLinks: DeferredLinksService,
        hosts: LinkHosts,
        addresses: ClientAddresses,
        storage: ThrottlerStorage,
        { perMinute }: RateLimitSettings,
        clock: Clock,
        { logger }: Log,
      ) => new DeferredLinkClaims(deferredLinks, hosts, addresses, storage, perMinute, clock, logger),
      inject: [DeferredLinksService, LinkHosts, ClientAddresses, ThrottlerStorage, RateLimitSettings, Clock, Log],
    },
    {
      provide: AssociationFileCache,
      useFactory: (
        repository: VisitedLinkRepository,
        clock: Clock,
        { linkCacheBytes }: LinkTrafficSettings,
        metrics: Metrics | null,
      ) => {
        const files = new AssociationFileCache(repository, clock, Math.max(linkCacheBytes / 32, minFileCacheBytes));
        metrics?.watchCache('association_files', files);
        return files;
      },
      inject: [VisitedLinkRepository, Clock, LinkTrafficSettings, Metrics],
    },
    {
      provide: LinkTraffic,
      useFactory: (
        resolver: LinkResolver,
        visits: Visits,
        claims: DeferredLinkClaims,
        files: AssociationFileCache,
        { logger }: Log,
        { visitLogLevel, tracing }: LinkTrafficSettings,
        metrics: Metrics | null,
      ) =>
        new LinkTraffic(
          resolver,
          visits,
          claims,
          files,
          logger,
          new VisitReports(logger, visitLogLevel, tracing),
          metrics ?? undefined,
        ),
      inject: [LinkResolver, Visits, DeferredLinkClaims, AssociationFileCache, Log, LinkTrafficSettings, Metrics],
    },
    {
      provide: TlsAskHandler,
      useFactory: (
        resolver: LinkResolver,
        domains: VerifiedDomainIndex,
        hosts: LinkHosts,
        { logger }: Log,
        metrics: Metrics | null,
      ) => new TlsAskHandler(resolver, domains, hosts, logger, metrics ?? undefined),
      inject: [LinkResolver, VerifiedDomainIndex, LinkHosts, Log, Metrics],
    },
  ],
  exports: [LinkTraffic, TlsAskHandler, VerifiedDomainIndex],
})
export class LinkTrafficModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  #flushed: Promise<unknown> | undefined;

  constructor(
    @Inject(TrafficPools) private readonly pools: TrafficPools,
    @Inject(VerifiedDomainIndex) private readonly domains: VerifiedDomainIndex,
    @Inject(DeferredLinksService) private readonly deferredLinks: DeferredLinksService,
  ) {}

  /** Loads the verified domains, before the first visitor. */
  async onModuleInit(): Promise<void> {
    await this.domains.start();
  }

  /** Begins to write the deferred links that wait. It does not wait, so that all modules write at the same time. */
  beforeApplicationShutdown(): void {
    this.#flushed = Promise.all([this.domains.stop(), this.deferredLinks.stop()]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#flushed;
    await Promise.all([this.pools.reads.end(), this.pools.writes.end()]);
  }
}
