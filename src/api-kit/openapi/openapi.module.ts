import { Module } from '@nestjs/common';
import { ApiDescription } from './api-description';
import { ApiDocsController, OpenApiController } from './api-docs.controller';
import { ApiDocsFiles } from './api-docs-files';

@Module({
  controllers: [OpenApiController, ApiDocsController],
  providers: [ApiDescription, ApiDocsFiles],
  exports: [ApiDescription],
})
export class OpenApiModule {}
