import type { EscapeTable } from '../link-routing/escapes/browser-escapes';
import { parseEscapeTable } from '../link-routing/escapes/escape-table-file';
import { PgServedPictures } from '../links/pictures/pg-served-pictures';
import { pictureStoreOf } from '../links/pictures/s3-picture-store';
import { ClientAddresses } from '../platform/http/client-address';
import type { AdaptivePool } from '../platform/postgres/adaptive-pool';
import { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import { WatchedFile } from '../shared/watched-file';
import { AssociationFileCache } from './answers/association-file-cache';
import { BackgroundWriter } from './recording/background-writer';
import { ClickReader } from './recording/click-reader';
import { AppOpens, openPath } from './apps/app-opens';
import { type AppOperation, AppRequests } from './apps/app-requests';
import { AppUrls } from './apps/app-urls';
import { CountryDatabase } from './recording/country-database';
import { claimPath, DeferredLinkClaims } from './apps/deferred-link-claims';
import { DeferredLinksService } from './deferred-links/deferred-links.service';
import { PgDeferredLinkRepository } from './deferred-links/pg-deferred-link.repository';
import { PgMovedLinkRepository } from './deferred-links/pg-moved-link.repository';
import { firstLaunchPath, FirstLaunches } from './apps/first-launches';
import { LinkTraffic } from './handler';
import { LinkTests } from './visits/link-tests';
import { LinkQrCodes } from './answers/link-qr-codes';
import { LinkPictures } from './answers/link-pictures';
import { LinkResolver } from './resolving/link-resolver';
import { LockedLinks } from './visits/locked-links';
import type { LinkTrafficDependencies } from './link-traffic-dependencies';
import { Recorders, watchRecorders } from './recording/recorders.composition';
import { MeasuredEscapes } from './recording/measured-escapes';
import { PageCache } from './answers/page-cache';
import { PgLinkUsesRepository } from './visits/pg-link-uses.repository';
import { PgVisitedLinkRepository } from './resolving/pg-visited-link.repository';
import { siteOfHost } from './resolving/site';
import { stepPath, StoreSteps } from './apps/store-steps';
import { TlsAskHandler } from './tls-ask-handler';
import { VerifiedDomainIndex } from './resolving/verified-domain-index';
import { VisitReports } from './recording/visit-reports';
import { VisitorKeys } from './resolving/visitor-keys';
import { VisitIds } from './visits/visit-ids';
import { VisitClicks } from './visits/visit-clicks';
import { Visits } from './visits/visits';

/** Connections for writes. Their pool is separate, so that no visitor waits behind a write. */
const maxWriters = 2;

/** Some 10 MB wait at most. Further visits are not counted. */
const endedVisits = { intervalMs: 1000, perWrite: 5000, waiting: 100_000 };

const noRecorders = { clickIds: null, variantClicks: null, opens: null };

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
  readonly #countries: CountryDatabase | null;
  /** Null for the built-in table. */
  readonly #escapeFile: WatchedFile<EscapeTable> | null;
  /** Null if visits are not recorded. */
  readonly #recorders: Recorders | null;
  /** Ids of links that were visited after their end. */
  readonly #ended: BackgroundWriter<string>;
  #flushed: Promise<unknown> | undefined;

  constructor(environment: LinkTrafficDependencies) {
    const { settings, hosts, pools, changeListener, clock, log, metrics } = environment;
    // Look-ups of visits share statements, so they need fewer connections than the management API.
    this.reads = pools.open('link traffic', Math.ceil(environment.database.poolSize / 2));
    this.#writes = pools.open('link traffic writes', maxWriters);
    const links = new PgVisitedLinkRepository(this.reads, hosts);
    this.domains = new VerifiedDomainIndex(
      () => links.verifiedDomains(),
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
    const addresses = new ClientAddresses(settings.trustedProxies);
    const visitorKeys = new VisitorKeys(
      () => links.visitorKey(),
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
        : new CountryDatabase(
            settings.countryDatabase,
            (message) => log.warn(message),
            (builtAt) => log.logger.info({ built_at: builtAt }, 'countries come from COUNTRY_DATABASE'),
          );
    const clickReader = new ClickReader(addresses, settings.countryHeader, clock, changeListener, this.#countries);
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
    const now = { now: () => clickReader.now() };
    this.#recorders = environment.clicks && new Recorders(this.#writes, escapes, now, log);
    const { clickIds, variantClicks, opens } = this.#recorders ?? noRecorders;
    const uses = new PgLinkUsesRepository(environment.region?.primary ?? this.#writes);
    this.#ended = new BackgroundWriter(
      (ids) => uses.countEnded(ids),
      endedVisits,
      (error) => log.warn(`visits after the end of links are not counted yet: ${(error as Error).message}`),
    );
    const visits = new Visits(
      hosts,
      new VisitIds(this.#deferredLinks, clickIds, addresses, new InMemoryRateLimitStorage(clock)),
      clickReader,
      new VisitClicks(clickReader, environment.clicks, variantClicks, this.#ended),
      visitorKeys.hashOf,
      pages,
      new LinkQrCodes(cacheBytes / 32, clock),
      new LockedLinks(uses, addresses, environment.rateLimits, clock),
      new MeasuredEscapes(escapes, this.#recorders?.escapes ?? null, addresses, now),
    );
    const urls = new AppUrls(resolver, (host) => siteOfHost(host, hosts, this.domains));
    const appRequests = new AppRequests(
      new Map<string, AppOperation>([
        [claimPath, new DeferredLinkClaims(this.#deferredLinks, hosts, clickReader)],
        [stepPath, new StoreSteps(this.#deferredLinks, clickReader, opens)],
        [openPath, new AppOpens(urls, hosts, clickReader, opens, clickIds, visitorKeys.hashOf)],
        [firstLaunchPath, new FirstLaunches(this.#deferredLinks, urls, clickReader, opens)],
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
      new PgServedPictures(environment.region?.primary ?? this.reads, pictureStoreOf(environment.pictures)),
      Math.max(cacheBytes / 16, minPictureCacheBytes),
    );
    this.handler = new LinkTraffic(
      resolver,
      visits,
      appRequests,
      files,
      pictures,
      new LinkTests(hosts, resolver, files, clickReader, visitorKeys.hashOf),
      log.logger,
      reports,
      metrics ?? undefined,
    );
    this.tlsAsk = new TlsAskHandler(resolver, this.domains, hosts, log.logger, metrics ?? undefined);

    if (!metrics) return;
    metrics.watch({
      signpost_deferred_links_waiting: () => this.#deferredLinks.waiting,
      signpost_browser_escapes_file_current: () => (this.#escapeFile ? Number(this.#escapeFile.isCurrent) : []),
    });
    watchRecorders(metrics, this.#recorders, escapes);
    for (const [name, cache] of Object.entries({ ...resolver.caches, pages, association_files: files, pictures }))
      metrics.watchCache(name, cache);
  }

  async start(): Promise<void> {
    this.#countries?.watch();
    this.#escapeFile?.watch();
    await Promise.all([this.domains.start(), this.#recorders?.start()]);
  }

  /** Begins to write the deferred links that wait. It does not wait, so that all parts write at the same time. */
  flush(): void {
    this.#flushed = Promise.all([
      this.domains.stop(),
      this.#deferredLinks.stop(),
      this.#ended.stop(),
      this.#recorders?.stop(),
    ]);
  }

  async close(): Promise<void> {
    this.#countries?.unwatch();
    this.#escapeFile?.unwatch();
    await this.#flushed;
    await Promise.all([this.reads.end(), this.#writes.end()]);
  }
}
