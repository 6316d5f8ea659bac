import type { ThrottlerStorage } from '@nestjs/throttler';
import type { LevelWithSilent } from 'pino';
import { PgAppEventRepository } from '../clicks/app-events/pg-app-event.repository';
import { PgClickIdRepository } from '../clicks/conversions/pg-click-id.repository';
import type { ClickRecorder } from '../clicks/recording/click-recorder';
import type { EscapeTable } from '../link-routing/browser-escapes';
import { type BrowserEscapes, droppedEscapes } from '../link-routing/escape-choice';
import { parseEscapeTable } from '../link-routing/escape-table-file';
import type { LinkHosts } from '../link-paths/paths/link-hosts';
import { PgServedPictures } from '../links/pictures/pg-served-pictures';
import { ClientAddresses } from '../platform/http/client-address';
import type { Log } from '../platform/observability/log';
import type { Metrics } from '../platform/observability/metrics';
import type { Tracing } from '../platform/observability/tracing.otel';
import type { AdaptivePool } from '../platform/postgres/adaptive-pool';
import type { ChangeListener } from '../platform/change-notifications/change-listener';
import type { DatabaseSettings } from '../platform/postgres/database-settings';
import type { PoolFactory } from '../platform/postgres/pool-factory';
import type { RateLimitSettings } from '../platform/rate-limit/rate-limit';
import { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import type { Clock } from '../shared/clock';
import { WatchedFile } from '../shared/watched-file';
import { AssociationFileCache } from './answers/association-file-cache';
import { BackgroundWriter } from './recording/background-writer';
import { ClickIds } from './recording/click-ids';
import { ClickReader } from './recording/click-reader';
import { AppEventRecorder } from './apps/app-event-recorder';
import { AppOpens, openPath } from './apps/app-opens';
import { type AppOperation, AppRequests } from './apps/app-requests';
import { AppUrls } from './apps/app-urls';
import { CountryDatabase } from './recording/country-database';
import { claimPath, DeferredLinkClaims } from './apps/deferred-link-claims';
import { DeferredLinksService } from './deferred-links/deferred-links.service';
import { PgDeferredLinkRepository } from './deferred-links/pg-deferred-link.repository';
import { PgMovedLinkRepository } from './deferred-links/pg-moved-link.repository';
import { firstLaunchPath, FirstLaunches } from './apps/first-launches';
import { EscapeCounter } from './recording/escape-counter';
import { LinkTraffic } from './handler';
import { LinkQrCodes } from './answers/link-qr-codes';
import { LinkPictures } from './answers/link-pictures';
import { LinkResolver } from './resolving/link-resolver';
import { LockedLinks } from './visits/locked-links';
import { MeasuredEscapes } from './recording/measured-escapes';
import { PageCache } from './answers/page-cache';
import { PgEscapeCountsRepository } from './recording/pg-escape-counts.repository';
import { PgLinkUsesRepository } from './visits/pg-link-uses.repository';
import { verifiedDomains } from './resolving/pg-verified-domains';
import { visitorKey } from './resolving/pg-visitor-key';
import { PgVisitedLinkRepository } from './resolving/pg-visited-link.repository';
import { siteOfHost } from './resolving/site';
import { stepPath, StoreSteps } from './apps/store-steps';
import { TlsAskHandler } from './tls-ask-handler';
import { VerifiedDomainIndex } from './resolving/verified-domain-index';
import { VariantClicks } from './recording/variant-clicks';
import { VisitReports } from './recording/visit-reports';
import { VisitorKeys } from './resolving/visitor-keys';
import { Visits } from './visits/visits';

export class LinkTrafficSettings {
  readonly linkCacheBytes: number;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` and country header are trusted. */
  readonly trustedProxies: string[];
  /** In lower case. */
  readonly countryHeader: string | undefined;
  /** Path of a file in MaxMind's DB format. */
  readonly countryDatabase: string | undefined;
  /** Path of a file that replaces the built-in ways out of in-app browsers. */
  readonly browserEscapesFile: string | undefined;
  readonly visitLogLevel: LevelWithSilent;
  readonly tracing: Tracing | undefined;
}

export interface LinkTrafficDependencies {
  settings: LinkTrafficSettings;
  database: Pick<DatabaseSettings, 'poolSize'>;
  /** Limits claims of deferred links, and opens, per network. */
  rateLimit: Pick<RateLimitSettings, 'perMinute'>;
  hosts: LinkHosts;
  pools: PoolFactory;
  changeListener: ChangeListener;
  /** Null if visits are not recorded. */
  clicks: ClickRecorder | null;
  rateLimits: ThrottlerStorage;
  clock: Clock;
  log: Log;
  metrics: Metrics | null;
  /** The ways out of in-app browsers, which link traffic keeps up to date for the diagnostics too. */
  escapes: BrowserEscapes;
  /** Undefined in a process on the database of the primary. */
  region?: { code: number; primary: AdaptivePool };
}

/** Connections for writes. Their pool is separate, so that no visitor waits behind a write. */
const maxWriters = 2;

/** Some 10 MB wait at most. Further visits are not counted. */
const endedVisits = { intervalMs: 1000, perWrite: 5000, waiting: 100_000 };

/** Enough for some files of the maximum size, however small the link cache is. */
const minFileCacheBytes = 2_000_000;

/** Enough for some pictures of the usual size. */
const minPictureCacheBytes = 2_000_000;

/** Builds link traffic, without Nest. The composition of each role starts and stops it. */
export class LinkTrafficParts {
  readonly handler: LinkTraffic;
  readonly tlsAsk: TlsAskHandler;
  readonly domains: VerifiedDomainIndex;
  readonly reads: AdaptivePool;
  readonly #writes: AdaptivePool;
  readonly #deferredLinks: DeferredLinksService;
  /** Null if visits are not recorded. */
  readonly #opens: AppEventRecorder | null;
  readonly #countries: CountryDatabase | null;
  /** Null for the built-in table. */
  readonly #escapeFile: WatchedFile<EscapeTable> | null;
  /** Null if visits are not recorded. */
  readonly #escapeCounter: EscapeCounter | null;
  /** Null if visits are not recorded. */
  readonly #variantClicks: VariantClicks | null;
  /** Null if visits are not recorded. */
  readonly #clickIds: ClickIds | null;
  /** Ids of links that were visited after their end. */
  readonly #ended: BackgroundWriter<string>;
  #flushed: Promise<unknown> | undefined;

  constructor(environment: LinkTrafficDependencies) {
    const { settings, hosts, pools, changeListener, clock, log, metrics } = environment;
    // Look-ups of visits share statements, so they need fewer connections than the management API.
    this.reads = pools.open('link traffic', Math.ceil(environment.database.poolSize / 2));
    this.#writes = pools.open('link traffic writes', maxWriters);
    this.domains = new VerifiedDomainIndex(
      () => verifiedDomains(this.reads),
      changeListener,
      hosts,
      (error) => log.warn(`custom domains are not up to date: ${(error as Error).message}`),
    );
    this.#deferredLinks = new DeferredLinksService(
      new PgDeferredLinkRepository(this.#writes, environment.clicks !== null),
      new PgMovedLinkRepository(environment.region?.primary ?? this.#writes, environment.clicks !== null),
      (error) => log.warn(`deferred links are not written yet: ${(error as Error).message}`),
      environment.region?.code,
    );

    const cacheBytes = settings.linkCacheBytes;
    const links = new PgVisitedLinkRepository(this.reads, hosts);
    const addresses = new ClientAddresses(settings.trustedProxies);
    const visitorKeys = new VisitorKeys(
      () => visitorKey(this.reads),
      addresses,
      clock,
      (error) => log.warn(`the key that chooses variants is not read yet: ${(error as Error).message}`),
    );
    const resolver = new LinkResolver(links, changeListener, clock, cacheBytes, visitorKeys);
    const files = new AssociationFileCache(links, clock, Math.max(cacheBytes / 32, minFileCacheBytes));
    const pages = new PageCache((cacheBytes * 7) / 32);
    this.#countries =
      settings.countryDatabase === undefined
        ? null
        : new CountryDatabase(settings.countryDatabase, (message) => log.warn(message));
    const clickReader = new ClickReader(addresses, settings.countryHeader, clock, changeListener, this.#countries);
    this.#clickIds =
      environment.clicks &&
      new ClickIds(
        new PgClickIdRepository(this.#writes),
        () => clickReader.now(),
        (error) => log.warn(`click ids are not written yet: ${(error as Error).message}`),
      );
    this.#variantClicks =
      environment.clicks &&
      new VariantClicks(new PgAppEventRepository(this.#writes), (error) =>
        log.warn(`clicks on variants are not written yet: ${(error as Error).message}`),
      );
    const { escapes } = environment;
    this.#escapeFile =
      settings.browserEscapesFile === undefined
        ? null
        : new WatchedFile(
            'BROWSER_ESCAPES_FILE',
            settings.browserEscapesFile,
            'a table of ways out of in-app browsers',
            (bytes) => (escapes.table = parseEscapeTable(bytes)),
            (message) => log.warn(message),
          );
    this.#escapeCounter =
      environment.clicks &&
      new EscapeCounter(escapes, new PgEscapeCountsRepository(this.#writes), (error) =>
        log.warn(`ways out of in-app browsers are not counted yet: ${(error as Error).message}`),
      );
    const uses = new PgLinkUsesRepository(environment.region?.primary ?? this.#writes);
    this.#ended = new BackgroundWriter(
      (ids) => uses.countEnded(ids),
      endedVisits,
      (error) => log.warn(`visits after the end of links are not counted yet: ${(error as Error).message}`),
    );
    const visits = new Visits(
      hosts,
      this.#deferredLinks,
      addresses,
      new InMemoryRateLimitStorage(clock),
      clickReader,
      environment.clicks,
      this.#clickIds,
      visitorKeys.hashOf,
      this.#variantClicks,
      pages,
      new LinkQrCodes(cacheBytes / 32, clock),
      new LockedLinks(uses, addresses, environment.rateLimits, clock),
      this.#ended,
      new MeasuredEscapes(escapes, this.#escapeCounter, addresses, { now: () => clickReader.now() }),
    );
    // In a region, the function of the statement keeps them for the primary.
    this.#opens =
      environment.clicks &&
      new AppEventRecorder(new PgAppEventRepository(this.#writes), (error) =>
        log.warn(`opens of apps are not written yet: ${(error as Error).message}`),
      );
    const urls = new AppUrls(resolver, (host) => siteOfHost(host, hosts, this.domains));
    const appRequests = new AppRequests(
      new Map<string, AppOperation>([
        [claimPath, new DeferredLinkClaims(this.#deferredLinks, hosts, clickReader)],
        [stepPath, new StoreSteps(this.#deferredLinks, clickReader, this.#opens)],
        [openPath, new AppOpens(urls, hosts, clickReader, this.#opens, this.#clickIds, visitorKeys.hashOf)],
        [firstLaunchPath, new FirstLaunches(this.#deferredLinks, urls, clickReader, this.#opens)],
      ]),
      addresses,
      environment.rateLimits,
      environment.rateLimit.perMinute,
      clock,
      log.logger,
    );
    const reports = new VisitReports(log.logger, settings.visitLogLevel, settings.tracing);
    // A region has no pictures, because few visits read them, and the first copy of a region would be large.
    const pictures = new LinkPictures(
      new PgServedPictures(environment.region?.primary ?? this.reads),
      Math.max(cacheBytes / 16, minPictureCacheBytes),
    );
    this.handler = new LinkTraffic(
      resolver,
      visits,
      appRequests,
      files,
      pictures,
      log.logger,
      reports,
      metrics ?? undefined,
    );
    this.tlsAsk = new TlsAskHandler(resolver, this.domains, hosts, log.logger, metrics ?? undefined);

    const opens = (count: 'received' | 'recorded' | 'waiting' | 'dropped') => () => this.#opens?.counts[count] ?? 0;
    const clickIds = (count: 'issued' | 'waiting' | 'dropped') => () => this.#clickIds?.counts[count] ?? 0;
    const variantClicks = (count: 'recorded' | 'waiting' | 'dropped') => () => this.#variantClicks?.counts[count] ?? 0;
    metrics?.watch({
      signpost_deferred_links_waiting: () => this.#deferredLinks.waiting,
      signpost_opens_received_total: opens('received'),
      signpost_opens_recorded_total: opens('recorded'),
      signpost_opens_waiting: opens('waiting'),
      signpost_opens_dropped_total: opens('dropped'),
      signpost_click_ids_issued_total: clickIds('issued'),
      signpost_click_ids_waiting: clickIds('waiting'),
      signpost_click_ids_dropped_total: clickIds('dropped'),
      signpost_variant_clicks_recorded_total: variantClicks('recorded'),
      signpost_variant_clicks_waiting: variantClicks('waiting'),
      signpost_variant_clicks_dropped_total: variantClicks('dropped'),
      signpost_browser_escapes_offered_total: () =>
        (this.#escapeCounter?.totals ?? []).map(({ labels, offers }) => [labels, offers]),
      signpost_browser_escapes_arrived_total: () =>
        (this.#escapeCounter?.totals ?? []).map(({ labels, arrivals }) => [labels, arrivals]),
      signpost_browser_escapes_dropped: () =>
        droppedEscapes(escapes).map(({ app, platform, way }) => [{ app, platform, way }, 1]),
      signpost_browser_escapes_file_current: () => (this.#escapeFile ? Number(this.#escapeFile.isCurrent) : []),
    });
    for (const [name, cache] of Object.entries({ ...resolver.caches, pages, association_files: files, pictures }))
      metrics?.watchCache(name, cache);
  }

  async start(): Promise<void> {
    this.#countries?.watch();
    this.#escapeFile?.watch();
    await Promise.all([this.domains.start(), this.#escapeCounter?.start()]);
  }

  /** Begins to write the deferred links that wait. It does not wait, so that all parts write at the same time. */
  flush(): void {
    this.#flushed = Promise.all([
      this.domains.stop(),
      this.#deferredLinks.stop(),
      this.#opens?.stop(),
      this.#ended.stop(),
      this.#clickIds?.stop(),
      this.#variantClicks?.stop(),
      this.#escapeCounter?.stop(),
    ]);
  }

  async close(): Promise<void> {
    this.#countries?.unwatch();
    this.#escapeFile?.unwatch();
    await this.#flushed;
    await Promise.all([this.reads.end(), this.#writes.end()]);
  }
}
