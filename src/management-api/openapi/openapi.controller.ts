import { Controller, Get, type INestApplication, Injectable, Module, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../kit/route-markers';
import { ApiDocsController } from './api-docs.controller';
import { ApiDocsFiles } from './api-docs-files';
import { describeApi } from './document';
import { StaticFile } from './static-file';

/** Holds the API description. The first request builds it, because most processes are never asked for it. */
@Injectable()
export class ApiDescription {
  #describe: () => object = () => ({});
  #file: StaticFile | undefined;

  /** Makes the description of the routes of `app` available. */
  publish(app: INestApplication, apiBaseUrl: URL): void {
    this.#describe = () => describeApi(app, apiBaseUrl);
  }

  get file(): StaticFile {
    this.#file ??= new StaticFile('application/json; charset=utf-8', JSON.stringify(this.#describe()), 'no-cache');
    return this.#file;
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
