import { Module } from '@nestjs/common';
import { ApiDescription } from './api-description';
import { ApiDocsController } from './api-docs.controller';
import { ApiDocsFiles } from './api-docs-files';
import { OpenApiController } from './openapi.controller';

@Module({
  controllers: [OpenApiController, ApiDocsController],
  providers: [ApiDescription, ApiDocsFiles],
  exports: [ApiDescription],
})
export class OpenApiModule {}
