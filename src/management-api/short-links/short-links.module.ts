import { Module } from '@nestjs/common';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ShortLinkRepository } from './short-link.repository';
import { ShortLinksController } from './short-links.controller';
import { ShortLinksService } from './short-links.service';
import { TypeormShortLinkRepository } from './typeorm-short-link.repository';

@Module({
  imports: [DynamicLinksModule],
  controllers: [ShortLinksController],
  providers: [ShortLinksService, { provide: ShortLinkRepository, useClass: TypeormShortLinkRepository }],
  exports: [ShortLinksService],
})
export class ShortLinksModule {}
