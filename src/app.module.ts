import { type DynamicModule, Module } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { AccountsModule } from './accounts/accounts.module';
import { AndroidAppSchema } from './android-apps/android-app.schema';
import { AndroidAppsModule } from './android-apps/android-apps.module';
import { ApiKeySchema } from './api-keys/api-key.schema';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { Pepper } from './api-keys/pepper';
import { StatisticsModule } from './clicks/statistics.module';
import { AssociationHealthModule } from './association-health/association-health.module';
import { ProbeSettings } from './association-health/probe-settings';
import type { Config } from './config';
import { DashboardModule } from './dashboard/dashboard.module';
import { CustomDomainSchema } from './custom-domains/custom-domain.schema';
import { CustomDomainsModule } from './custom-domains/custom-domains.module';
import { DomainSettings } from './custom-domains/domain-settings';
import { DatabaseModule } from './database/database.module';
import { DynamicLinkSchema } from './dynamic-links/dynamic-link.schema';
import { DynamicLinksModule } from './dynamic-links/dynamic-links.module';
import { ExplainModule } from './explain/explain.module';
import { HealthModule } from './health/health.controller';
import { FixedWindows } from './http/fixed-windows';
import { HttpModule } from './http/http.module';
import { Locations } from './http/locations';
import { ApiDescriptionModule } from './http/openapi/openapi.controller';
import { SharedWindows } from './http/shared-windows';
import { UnknownRouteModule } from './http/unknown-route.controller';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { IosAppSchema } from './ios-apps/ios-app.schema';
import { IosAppsModule } from './ios-apps/ios-apps.module';
import { LinkHosts } from './link-paths/link-hosts';
import { HoldSettings } from './projects/held-subdomains';
import { ProjectSchema } from './projects/project.schema';
import { ProjectsModule } from './projects/projects.module';
import { ReservedSubdomains } from './projects/reserved-subdomains';
import { QrCodesModule } from './qr-codes/qr-codes.module';
import { Clock } from './shared/clock';
import { Log } from './shared/log';
import { ShortLinkSchema } from './short-links/short-link.schema';
import { ShortLinksModule } from './short-links/short-links.module';

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
        provide: HoldSettings,
        useValue: {
          holdTime: config.subdomainHold,
          heldPerAccount: config.heldSubdomainsPerAccount,
          formerPerProject: config.formerSubdomainsPerProject,
        } satisfies HoldSettings,
      },
      {
        provide: DomainSettings,
        useValue: {
          perProject: config.customDomainsPerProject,
          recheckInterval: config.customDomainRecheckInterval,
          grace: config.customDomainGrace,
          holdTime: config.subdomainHold,
          resolvers: config.dnsResolvers,
        } satisfies DomainSettings,
      },
      { provide: ProbeSettings, useValue: { privateAddresses: config.probePrivateAddresses } satisfies ProbeSettings },
      { provide: ReservedSubdomains, useValue: new ReservedSubdomains(config.linkBaseUrl, config.apiBaseUrl) },
    ];
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}

/** Where requests are counted. */
function windowsFor({ redisUrl }: Config, log: Log, clock: Clock): ThrottlerStorage {
  const own = new FixedWindows(clock);
  return redisUrl === undefined ? own : new SharedWindows(redisUrl, own, (message) => log.warn(message));
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
        DashboardModule.with(config.dashboard),
        HttpModule.with({ rateLimitPerMinute: config.rateLimitPerMinute, windows: windowsFor(config, log, clock) }),
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
