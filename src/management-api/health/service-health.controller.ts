import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api-kit/openapi/operation';
import { HealthService } from './health.service';
import { ServiceHealthDto, ServiceHealthResponse } from './service-health.dto';

@ApiTags('Account')
@Controller('api/v1/service-health')
export class ServiceHealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getServiceHealth',
    summary: 'Get the health of the service',
    description:
      'Returns the version of the process that answers, and the state of what it depends on, with the page that says what to do. ' +
      'Other replicas, their queues and their failures are in the metrics of each process.',
    success: ServiceHealthResponse,
  })
  async get() {
    return { data: ServiceHealthDto.of(await this.health.ready()) };
  }
}
