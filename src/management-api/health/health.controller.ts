import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { versionOfThis } from '../../platform/observability/version';
import { AllowUnknownQuery, SkipRateLimit } from '../../api-kit/kit/route-markers';
import { HealthService, type Report } from './health.service';

const version = versionOfThis();

/** Answers probes with 200 or 503 and the same body schema for both. */
@ApiExcludeController()
@AllowUnknownQuery()
@SkipRateLimit()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Reports that the event loop runs. It checks only that, because a restart repairs no other fault. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live() {
    return { data: { status: 'live', version } };
  }

  @Get('startup')
  @Header('Cache-Control', 'no-store')
  async startup(@Res({ passthrough: true }) response: Response) {
    return answer(response, await this.health.startup());
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response) {
    return answer(response, await this.health.ready());
  }

  @Get('ready/traffic')
  @Header('Cache-Control', 'no-store')
  async readyForTraffic(@Res({ passthrough: true }) response: Response) {
    return answer(response, await this.health.readyForTraffic());
  }
}

function answer(response: Response, report: Report): { data: Report } {
  response.status(report.status === 'ready' || report.status === 'started' ? 200 : 503);
  return { data: report };
}
