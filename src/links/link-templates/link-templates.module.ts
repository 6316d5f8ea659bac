import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { LinkTemplatesController } from './link-templates.controller';
import { LinkTemplatesService } from './link-templates.service';
import { TypeormLinkTemplateRepository } from './typeorm-link-template.repository';

@Module({
  imports: [DatabaseModule, IdempotencyModule],
  controllers: [LinkTemplatesController],
  providers: [LinkTemplatesService, TypeormLinkTemplateRepository],
  exports: [TypeormLinkTemplateRepository],
})
export class LinkTemplatesModule {}
