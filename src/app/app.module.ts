import { type DynamicModule, Module } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { AccountsModule } from '../management-api/accounts/accounts.module';
import { AndroidAppSchema } from '../management-api/android-apps/android-app.schema';
import { AndroidAppsModule } from '../management-api/android-apps/android-apps.module';
import { ApiKeySchema } from '../management-api/api-keys/api-key.schema';
import { ApiKeysModule } from '../management-api/api-keys/api-keys.module';
import { Pepper } from '../management-api/api-keys/pepper';
import { StatisticsModule } from '../management-api/statistics/statistics.module';
import { AssociationHealthModule } from '../diagnostics/association-health/association-health.module';
import { ProbeSettings } from '../diagnostics/association-health/probe-settings';
import type { Config } from './config';
import { IdentityProviderModule } from '../management-api/identity-provider/identity-provider.module';
import { CustomDomainSchema } from '../management-api/custom-domains/custom-domain.schema';
import { CustomDomainsModule } from '../management-api/custom-domains/custom-domains.module';
import { DomainSettings } from '../management-api/custom-domains/domain-settings';
import { DatabaseModule } from '../platform/postgres/database.module';
import { DynamicLinkSchema } from '../management-api/dynamic-links/dynamic-link.schema';
import { DynamicLinksModule } from '../management-api/dynamic-links/dynamic-links.module';
import { ExplainModule } from '../diagnostics/explain/explain.module';
import { HealthModule } from '../management-api/health/health.controller';
import { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import { HttpModule } from '../management-api/pipeline/http.module';
import { Locations } from '../management-api/kit/locations';
import { ApiDescriptionModule } from '../management-api/openapi/openapi.controller';
import { RedisRateLimitStorage } from '../platform/rate-limit/redis-rate-limit-storage';
import { UnknownRouteModule } from '../management-api/pipeline/unknown-route.controller';
import { IdempotencyModule } from '../management-api/idempotency/idempotency.module';
import { IosAppSchema } from '../management-api/ios-apps/ios-app.schema';
import { IosAppsModule } from '../management-api/ios-apps/ios-apps.module';
import { LinkHosts } from '../management-api/link-paths/link-hosts';
import { ReservationSettings } from '../management-api/projects/subdomain-reservations';
import { ProjectSchema } from '../management-api/projects/project.schema';
import { ProjectsModule } from '../management-api/projects/projects.module';
import { ReservedSubdomains } from '../management-api/projects/reserved-subdomains';
import { QrCodesModule } from '../management-api/qr-codes/qr-codes.module';
import { DnsSettings } from '../platform/dns/dns-settings';
import { Clock } from '../shared/clock';
import { Log } from '../platform/observability/log';
import { ShortLinkSchema } from '../management-api/short-links/short-link.schema';
import { ShortLinksModule } from '../management-api/short-links/short-links.module';

/** What the rooms need from the configuration, each as a type of its own: nothing but this file knows the whole of it. */
@Module({})
class SettingsModule {
  static with(config: Config, log: Log, clock: Clock): DynamicModule {
    const providers = [
      { provide: Log, useValue: log },
      { provide: Clock, useValue: clock },
      { provide: Pepper, useValue: new Pepper(config.apiKeyPepper) },
      { provide: Locations, useValue: new Locations(config.apiBaseUrl) },
      { provide: LinkHosts, useValue: new LinkHosts(config.linkBaseUrl, config.apiBaseUrl) },
      {
        provide: ReservationSettings,
        useValue: {
          holdTime: config.subdomainHold,
          heldPerAccount: config.heldSubdomainsPerAccount,
          formerPerProject: config.formerSubdomainsPerProject,
        } satisfies ReservationSettings,
      },
      {
        provide: DomainSettings,
        useValue: {
          perProject: config.customDomainsPerProject,
          recheckInterval: config.customDomainRecheckInterval,
          grace: config.customDomainGrace,
          holdTime: config.subdomainHold,
        } satisfies DomainSettings,
      },
      { provide: DnsSettings, useValue: { resolvers: config.dnsResolvers } satisfies DnsSettings },
      {
        provide: ProbeSettings,
        useValue: { allowPrivateAddresses: config.probePrivateAddresses } satisfies ProbeSettings,
      },
      { provide: ReservedSubdomains, useValue: new ReservedSubdomains(config.linkBaseUrl, config.apiBaseUrl) },
    ];
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}

/** Where requests are counted. */
function rateLimitStorageFor({ redisUrl }: Config, log: Log, clock: Clock): ThrottlerStorage {
  const own = new InMemoryRateLimitStorage(clock);
  return redisUrl === undefined ? own : new RedisRateLimitStorage(redisUrl, own, (message) => log.warn(message));
}

/** The rooms of the house. */
@Module({})
export class AppModule {
  static with(config: Config, databaseUrl: string, log: Log, clock = new Clock()): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.with(config, log, clock),
        DatabaseModule.with({
          url: databaseUrl,
          poolSize: config.databasePoolSize,
          schemas: [
            ApiKeySchema,
            ProjectSchema,
            CustomDomainSchema,
            IosAppSchema,
            AndroidAppSchema,
            DynamicLinkSchema,
            ShortLinkSchema,
          ],
        }),
        AccountsModule.with(config.quotas),
        ApiKeysModule,
        IdentityProviderModule.with(config.identityProvider),
        HttpModule.with({
          rateLimitPerMinute: config.rateLimitPerMinute,
          rateLimitStorage: rateLimitStorageFor(config, log, clock),
        }),
        IdempotencyModule,
        HealthModule,
        ProjectsModule,
        CustomDomainsModule,
        IosAppsModule,
        AndroidAppsModule,
        DynamicLinksModule,
        ShortLinksModule,
        QrCodesModule,
        StatisticsModule,
        ExplainModule,
        AssociationHealthModule,
        ApiDescriptionModule,
        UnknownRouteModule,
      ],
    };
  }
}
