import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api-kit/openapi/operation';
import { requirePolicy } from '../../api-kit/policy/policies';
import { mayCall } from '../../api-kit/policy/rights';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { HealthService } from './health.service';
import { PgWorkState } from './pg-work-state';
import { ServiceHealthDto, ServiceHealthResponse } from './service-health.dto';

@ApiTags('Account')
@Controller('api/v1/service-health')
export class ServiceHealthController {
  constructor(
    private readonly health: HealthService,
    private readonly work: PgWorkState,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getServiceHealth',
    summary: 'Get the health of the service',
    description:
      'Returns the version of the process that answers, and the state of what it depends on, with the page that says what to do. ' +
      'The other parts are the processes on its database, its regions, and the work for the account that waits or failed. Errors ' +
      'and the work of other accounts are in the metrics of each process.',
    success: ServiceHealthResponse,
  })
  async get(@TheCaller() { accountId, rights }: Caller) {
    // The queues have all projects, and events that only the audit log and webhooks show.
    const seesAccount = mayCall(requirePolicy('listAuditLogEntries'), rights, null);
    const [report, work] = await Promise.all([this.health.ready(), this.work.read(seesAccount ? accountId : null)]);
    return { data: ServiceHealthDto.of(report, work) };
  }
}
