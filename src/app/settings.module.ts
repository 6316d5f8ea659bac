import { join } from 'node:path';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ClickSettings } from '../clicks/recording/clicks.composition';
import { LinkTrafficSettings } from '../link-traffic/link-traffic-dependencies';
import { QuotaSettings } from '../tenancy/accounts/plan';
import { ImportApiSettings } from '../imports/apis/import-api-client';
import { WebhookSettings } from '../tenancy/webhooks/webhook-settings';
import { JournalSettings } from '../tenancy/journal/journal-settings';
import { Pepper } from '../tenancy/api-keys/pepper';
import { ConsoleSettings } from '../management-api/console/console-settings';
import { PictureStoreSettings } from '../links/pictures/picture-store';
import { ShortLinkSettings } from '../links/short-links/short-links.service';
import { DomainSettings } from '../links/custom-domains/domain-settings';
import { TokenAuthenticatorSettings } from '../tenancy/identity-provider/identity-provider-settings';
import { ImportProcesses } from '../imports/model/import-processes';
import { Locations } from '../api-kit/kit/locations';
import { LinkHosts } from '../link-paths/paths/link-hosts';
import { AppSettings } from '../links/apps/apps.service';
import { ApiDocsSettings } from '../api-kit/openapi/api-docs-files';
import { ReservedSubdomains } from '../links/projects/reserved-subdomains';
import { ReservationSettings } from '../links/projects/subdomain-reservations';
import { ClickHouseSettings } from '../platform/clickhouse/clickhouse-settings';
import { DnsSettings } from '../platform/dns/dns-answer';
import { BrowserEscapes } from '../link-routing/escapes/escape-choice';
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

const consoleFolder = join(packageRoot, 'dist', 'console');
const pagesFolder = join(packageRoot, 'dist', 'docs');

const value = <T>(provide: Type<T>, useValue: NoInfer<T>) => ({ provide, useValue });

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
      value(Log, log),
      value(Clock, clock),
      value(Pepper, new Pepper(config.apiKeyPepper)),
      value(Locations, new Locations(config.apiBaseUrl)),
      value(LinkHosts, new LinkHosts(config.linkBaseUrl, config.apiBaseUrl)),
      value(ReservedSubdomains, new ReservedSubdomains(config.linkBaseUrl, config.apiBaseUrl)),
      value(DatabaseSettings, { ...database, poolSize: config.databasePoolSize }),
      value(MetricsSettings, { port: config.metricsPort, host: config.host }),
      value(RateLimitSettings, config.rateLimit),
      value(ApiDocsSettings, { enabled: config.apiDocs, folder: pagesFolder }),
      value(ConsoleSettings, {
        enabled: config.console,
        folder: consoleFolder,
        provider: config.consoleProvider,
        pictures: `${config.linkBaseUrl.protocol}//*.${config.linkBaseUrl.host}`,
      }),
      value(ClickSettings, config.clicks),
      value(ClickHouseSettings, config.clickHouse),
      value(LinkTrafficSettings, { ...config.linkTraffic, tracing }),
      value(BrowserEscapes, new BrowserEscapes()),
      value(NestDispatcherSettings, {
        role: config.role === 'api' ? 'api' : 'all',
        shutdownDelayMs: config.shutdownDelayMs,
        shutdownTimeoutMs: config.shutdownTimeoutMs,
      }),
      value(PictureStoreSettings, config.pictures),
      value(JournalSettings, config.journal),
      value(QuotaSettings, { byPlan: config.quotas }),
      value(TokenAuthenticatorSettings, { provider: config.identityProvider, roles: config.roles }),
      value(ReservationSettings, config.reservations),
      value(DomainSettings, config.domains),
      value(ShortLinkSettings, config.shortLinks),
      value(AppSettings, config.apps),
      value(DnsSettings, config.dns),
      value(ProbeSettings, config.probes),
      value(ImportApiSettings, config.importApis),
      value(WebhookSettings, config.webhooks),
      value(BackgroundJobs, new BackgroundJobs(config.role !== 'import')),
      value(ImportProcesses, importProcesses),
    ];
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}
