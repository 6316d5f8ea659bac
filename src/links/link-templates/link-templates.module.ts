import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { IdempotencyModule } from '../../tenancy/idempotency/idempotency.module';
import { LinkTemplatesController } from './link-templates.controller';
import { LinkTemplatesService } from './link-templates.service';
import { LinkTemplateSchema, TypeormLinkTemplateRepository } from './typeorm-link-template.repository';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([LinkTemplateSchema]), IdempotencyModule],
  controllers: [LinkTemplatesController],
  providers: [LinkTemplatesService, TypeormLinkTemplateRepository],
  exports: [TypeormLinkTemplateRepository],
})
export class LinkTemplatesModule {}
