import { Module } from '@nestjs/common';
import { DiagnosticsModule } from '../diagnostics/diagnostics.module';
import { LinkTrafficModule } from '../link-traffic/link-traffic.module';
import { AccountsModule } from '../tenancy/accounts/accounts.module';
import { AppsModule } from '../links/apps/apps.module';
import { ApiKeysModule } from '../tenancy/api-keys/api-keys.module';
import { MembersModule } from '../tenancy/members/members.module';
import { WebhooksModule } from '../tenancy/webhooks/webhooks.module';
import { UsersModule } from '../tenancy/users/users.module';
import { ConsoleModule } from '../management-api/console/console.module';
import { BulkLinksModule } from '../links/bulk/bulk-links.module';
import { CustomDomainsModule } from '../links/custom-domains/custom-domains.module';
import { DynamicLinksModule } from '../links/dynamic-links/dynamic-links.module';
import { ClickReadsModule, LinkListsModule } from '../clicks/click-reads.module';
import { SharesModule } from '../clicks/shares/shares.module';
import { ApprovalsApiModule } from '../management-api/approvals/approvals-api.module';
import { ConversionsModule } from '../clicks/conversions/conversions.module';
import { HistoryModule } from '../management-api/history/history.module';
import { LiveFeedModule } from '../management-api/live-feed/live-feed.module';
import { HealthModule } from '../management-api/health/health.module';
import { ImportsModule } from '../imports/api/imports.module';
import { LinkExportModule } from '../links/export/link-export.module';
import { OpenApiModule } from '../api-kit/openapi/openapi.module';
import { HttpModule } from '../management-api/pipeline/http.module';
import { UnknownRouteModule } from '../management-api/pipeline/unknown-route.module';
import { ProjectsModule } from '../links/projects/projects.module';
import { ReleasesModule } from '../links/releases/releases.module';
import { PicturesModule } from '../links/pictures/pictures.module';
import { QrCodesModule } from '../links/qr-codes/qr-codes.module';
import { ShortLinksModule } from '../links/short-links/short-links.module';
import { LinkTemplatesModule } from '../links/link-templates/link-templates.module';
import { TagsModule } from '../links/tags/tags.module';
import { MetricsModule } from '../platform/observability/metrics.module';
import { ChangeListenerModule } from '../platform/change-notifications/change-listener.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { NestDispatcher } from './nest-dispatcher';
import { RegionsModule } from '../regions/regions.module';

/**
 * Assembles the service. Nest starts modules in the order of their imports, the imported first, and stops them in reverse. The
 * listener belongs to this module, so that it opens last and closes first.
 */
@Module({
  imports: [
    HttpModule,
    // First, because Express tries routes in this order: links are requested most. The route of exports has a word in place of a link's id.
    LinkExportModule,
    DynamicLinksModule,
    LinkListsModule,
    AccountsModule,
    ApiKeysModule,
    HistoryModule,
    LiveFeedModule,
    MembersModule,
    UsersModule,
    ApprovalsApiModule,
    WebhooksModule,
    HealthModule,
    ProjectsModule,
    CustomDomainsModule,
    AppsModule,
    ReleasesModule,
    LinkTemplatesModule,
    TagsModule,
    BulkLinksModule,
    ShortLinksModule,
    QrCodesModule,
    PicturesModule,
    ImportsModule,
    ClickReadsModule,
    SharesModule,
    ConversionsModule,
    DiagnosticsModule,
    OpenApiModule,
    LinkTrafficModule,
    ChangeListenerModule,
    RateLimitModule,
    RegionsModule,
    MetricsModule,
    ConsoleModule,
    UnknownRouteModule,
  ],
  providers: [NestDispatcher],
})
export class AppModule {}
