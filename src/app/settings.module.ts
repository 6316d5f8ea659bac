import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { ClickSettings } from '../clicks/recording/clicks.composition';
import { LinkTrafficSettings } from '../link-traffic/link-traffic.composition';
import { QuotaSettings } from '../tenancy/accounts/quota-settings';
import { ImportApiSettings } from '../imports/apis/import-api-settings';
import { Pepper } from '../tenancy/api-keys/pepper';
import { ConsoleSettings } from '../management-api/console/console-settings';
import { ShortLinkSettings } from '../links/short-links/short-link-settings';
import { DomainSettings } from '../links/custom-domains/domain-settings';
import { TokenAuthenticatorSettings } from '../tenancy/identity-provider/token-authenticator-settings';
import { ImportProcesses } from '../imports/model/import-processes';
import { Locations } from '../api-kit/kit/locations';
import { LinkHosts } from '../links/link-paths/link-hosts';
import { AppSettings } from '../links/apps/app-settings';
import { ApiDocsSettings } from '../api-kit/openapi/api-docs-settings';
import { ReservedSubdomains } from '../links/projects/reserved-subdomains';
import { ReservationSettings } from '../links/projects/subdomain-reservations';
import { ClickHouseSettings } from '../platform/clickhouse/clickhouse-settings';
import { DnsSettings } from '../platform/dns/dns-settings';
import { Log } from '../platform/observability/log';
import { MetricsSettings } from '../platform/observability/metrics.module';
import { DatabaseSettings } from '../platform/postgres/database-settings';
import { ProbeSettings } from '../platform/outbound/probe-settings';
import { RateLimitSettings } from '../platform/rate-limit/rate-limit';
import { BackgroundJobs } from '../shared/background-jobs';
import { Clock } from '../shared/clock';
import { packageRoot } from '../shared/package-root';
import type { Environment } from './environment';
import { NestDispatcherSettings } from './nest-dispatcher';

/** The output of `npm run build:console`. */
const consoleFolder = join(packageRoot, 'dist', 'console');

/**
 * Splits the configuration into one type per part, so that no part knows the rest. The module is global because it holds values
 * only: it starts and stops nothing (docs/decisions/0001-composition.md).
 */
@Module({})
export class SettingsModule {
  static with({
    config,
    database,
    log,
    clock = new Clock(),
    importProcesses = new ImportProcesses(),
    tracing,
  }: Environment): DynamicModule {
    const providers = [
      { provide: Log, useValue: log },
      { provide: Clock, useValue: clock },
      { provide: Pepper, useValue: new Pepper(config.apiKeyPepper) },
      { provide: Locations, useValue: new Locations(config.apiBaseUrl) },
      { provide: LinkHosts, useValue: new LinkHosts(config.linkBaseUrl, config.apiBaseUrl) },
      { provide: ReservedSubdomains, useValue: new ReservedSubdomains(config.linkBaseUrl, config.apiBaseUrl) },
      {
        provide: DatabaseSettings,
        useValue: {
          url: database.url,
          directUrl: database.directUrl,
          poolSize: config.databasePoolSize,
        } satisfies DatabaseSettings,
      },
      {
        provide: MetricsSettings,
        useValue: { port: config.metricsPort, host: config.host } satisfies MetricsSettings,
      },
      {
        provide: RateLimitSettings,
        useValue: {
          perMinute: config.rateLimitPerMinute,
          perMinuteOfPerson: config.personRateLimitPerMinute,
          redisUrl: config.redisUrl,
        } satisfies RateLimitSettings,
      },
      { provide: ApiDocsSettings, useValue: { enabled: config.apiDocs } satisfies ApiDocsSettings },
      {
        provide: ConsoleSettings,
        useValue: {
          enabled: config.console,
          folder: consoleFolder,
          provider: config.consoleProvider ?? null,
        } satisfies ConsoleSettings,
      },
      {
        provide: ClickSettings,
        useValue: {
          record: config.recordClicks,
          retentionMonths: config.clickRetentionMonths,
          migrate: config.migrateOnStart,
          writesBoth: config.clickHouseMode !== 'only',
        } satisfies ClickSettings,
      },
      {
        provide: ClickHouseSettings,
        useValue: {
          url: config.clickHouseUrl,
          cluster: config.clickHouseCluster,
          mode: config.clickHouseMode,
        } satisfies ClickHouseSettings,
      },
      {
        provide: LinkTrafficSettings,
        useValue: {
          linkCacheBytes: config.linkCacheBytes,
          trustedProxies: config.trustedProxies,
          countryHeader: config.countryHeader,
          visitLogLevel: config.visitLogLevel,
          tracing,
        } satisfies LinkTrafficSettings,
      },
      {
        provide: NestDispatcherSettings,
        useValue: {
          role: config.role === 'api' ? 'api' : 'all',
          shutdownDelayMs: config.shutdownDelayMs,
          shutdownTimeoutMs: config.shutdownTimeoutMs,
        } satisfies NestDispatcherSettings,
      },
      { provide: QuotaSettings, useValue: { byPlan: config.quotas } satisfies QuotaSettings },
      {
        provide: TokenAuthenticatorSettings,
        useValue: {
          provider: config.identityProvider,
        } satisfies TokenAuthenticatorSettings,
      },
      {
        provide: ReservationSettings,
        useValue: {
          holdTimeMs: config.subdomainHoldMs,
          heldPerAccount: config.heldSubdomainsPerAccount,
          formerPerProject: config.formerSubdomainsPerProject,
        } satisfies ReservationSettings,
      },
      {
        provide: DomainSettings,
        useValue: {
          perProject: config.customDomainsPerProject,
          recheckIntervalMs: config.customDomainRecheckIntervalMs,
          graceMs: config.customDomainGraceMs,
          holdTimeMs: config.subdomainHoldMs,
          linkTargetHost: config.linkTargetHost ?? null,
        } satisfies DomainSettings,
      },
      {
        provide: ShortLinkSettings,
        useValue: { perDynamicLink: config.shortLinksPerLink } satisfies ShortLinkSettings,
      },
      { provide: AppSettings, useValue: { perProject: config.appsPerProject } satisfies AppSettings },
      { provide: DnsSettings, useValue: { resolvers: config.dnsResolvers } satisfies DnsSettings },
      {
        provide: ProbeSettings,
        useValue: {
          allowPrivateAddresses: config.probePrivateAddresses,
          perMinute: config.probesPerMinute,
        } satisfies ProbeSettings,
      },
      {
        provide: ImportApiSettings,
        useValue: { allowPrivateAddresses: config.importPrivateAddresses } satisfies ImportApiSettings,
      },
      { provide: BackgroundJobs, useValue: new BackgroundJobs(config.role !== 'import') },
      { provide: ImportProcesses, useValue: importProcesses },
    ];
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}
