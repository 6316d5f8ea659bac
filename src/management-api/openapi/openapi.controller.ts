import { Controller, Get, type INestApplication, Injectable, Module, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../kit/route-markers';
import { ApiDocsController } from './api-docs.controller';
import { ApiDocsFiles } from './api-docs-files';
import { describeApi } from './document';
import { StaticFile } from './static-file';

/** Holds the API description, which is built and serialised once before the service listens. */
@Injectable()
export class ApiDescription {
  file: StaticFile;

  publish(app: INestApplication, apiBaseUrl: URL): void {
    const json = JSON.stringify(describeApi(app, apiBaseUrl));
    this.file = new StaticFile('application/json; charset=utf-8', json, 'no-cache');
  }
}

@ApiExcludeController()
@Controller('api/v1/openapi.json')
class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Public()
  @Get()
  get(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.description.file.send(request, response);
  }
}

@Module({
  controllers: [OpenApiController, ApiDocsController],
  providers: [ApiDescription, ApiDocsFiles],
  exports: [ApiDescription],
})
export class ApiDescriptionModule {}
