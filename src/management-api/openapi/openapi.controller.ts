import { Controller, Get, type INestApplication, Injectable, Module } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Public } from '../kit/route-markers';
import { describeApi } from './document';

/** Holds the API description, which is built once before the service listens. */
@Injectable()
export class ApiDescription {
  document: OpenAPIObject;

  /** Builds the description and serves Swagger UI at `/api/docs`. */
  publish(app: INestApplication, apiBaseUrl: URL): void {
    this.document = describeApi(app, apiBaseUrl);
    SwaggerModule.setup('api/docs', app, this.document, { raw: false, customSiteTitle: 'API description' });
  }
}

@ApiExcludeController()
@Controller('api/v1/openapi.json')
class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Public()
  @Get()
  get(): OpenAPIObject {
    return this.description.document;
  }
}

@Module({ controllers: [OpenApiController], providers: [ApiDescription], exports: [ApiDescription] })
export class ApiDescriptionModule {}
