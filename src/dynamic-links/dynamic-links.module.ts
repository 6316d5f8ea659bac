import { Module } from '@nestjs/common';
import { DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinksController } from './dynamic-links.controller';
import { DynamicLinksService } from './dynamic-links.service';
import { TypeormDynamicLinkRepository } from './typeorm-dynamic-link.repository';

@Module({
  controllers: [DynamicLinksController],
  providers: [DynamicLinksService, { provide: DynamicLinkRepository, useClass: TypeormDynamicLinkRepository }],
})
export class DynamicLinksModule {}
