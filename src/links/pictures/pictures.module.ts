import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { PagePreviewsService } from './page-previews.service';
import { PgPictureRepository } from './pg-picture.repository';
import { PicturePurge } from './picture-purge';
import { PicturesController } from './pictures.controller';
import { PicturesService } from './pictures.service';

@Module({
  imports: [DatabaseModule, AccountsModule, OutboundModule],
  controllers: [PicturesController],
  providers: [
    PicturesService,
    PagePreviewsService,
    PgPictureRepository,
    provideClass(PicturePurge, [PgPictureRepository, Log, BackgroundJobs]),
  ],
})
export class PicturesModule {}
