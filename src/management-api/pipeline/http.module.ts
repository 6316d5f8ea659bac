import { Module, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RequestPacer } from '../../platform/http/request-pacer';
import { Log } from '../../platform/observability/log';
import { ChangeListener } from '../../platform/change-notifications/change-listener';
import { ChangeListenerModule } from '../../platform/change-notifications/change-listener.module';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module';
import { AuthenticationModule } from '../../tenancy/api-keys/authentication.module';
import { IdentityProviderModule } from '../../tenancy/identity-provider/identity-provider.module';
import { AccessJournal } from '../../tenancy/journal/access-journal';
import { ApprovalGate } from '../../tenancy/approvals/approval-gate';
import { ApprovalsModule } from '../../tenancy/approvals/approvals.module';
import { JournalModule } from '../../tenancy/journal/journal.module';
import { StrictValidationPipe } from '../../api-kit/kit/strict-validation.pipe';
import { ProjectCache } from '../../links/projects/project-cache';
import { ProjectsModule } from '../../links/projects/projects.module';
import { ErrorFilter } from './error-filter';
import { guardsInOrder } from './guards';
import { RequestCounter } from './request-counter';
import { RouteTable } from './route-table';
import { provide } from '../../shared/provide';

/** Registers what applies to all requests of the management API: guards, the validation pipe and the error filter. */
@Module({
  imports: [
    DiscoveryModule,
    AuthenticationModule,
    ChangeListenerModule,
    IdentityProviderModule,
    JournalModule,
    ApprovalsModule,
    ProjectsModule,
    RateLimitModule,
  ],
  providers: [
    RouteTable,
    { provide: RequestPacer, useFactory: () => new RequestPacer() },
    RequestCounter,
    ...guardsInOrder,
    { provide: APP_PIPE, useClass: StrictValidationPipe },
    provide(APP_FILTER, [Log, AccessJournal, ApprovalGate], (log, ...gates) => new ErrorFilter(log.logger, ...gates)),
  ],
  exports: [RouteTable, RequestPacer],
})
export class HttpModule implements OnModuleInit {
  constructor(
    private readonly routes: RouteTable,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    projects: ProjectCache,
    changeListener: ChangeListener,
  ) {
    changeListener.onChanges((changes) => {
      for (const id of changes.projects ?? []) projects.forget(id);
    });
    changeListener.onLost(() => projects.clear());
  }

  onModuleInit(): void {
    this.routes.addControllers(this.discovery, this.scanner);
  }
}
