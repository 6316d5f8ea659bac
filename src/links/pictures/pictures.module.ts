import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provide, provideClass } from '../../shared/provide';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { PagePreviewsService } from './page-previews.service';
import { PgPictureRepository } from './pg-picture.repository';
import { PgServedPictures } from './pg-served-pictures';
import { PicturePurge } from './picture-purge';
import { PictureStore, PictureStoreSettings } from './picture-store';
import { PicturesController } from './pictures.controller';
import { PicturesService } from './pictures.service';
import { pictureStoreOf } from './s3-picture-store';

@Module({
  imports: [DatabaseModule, AccountsModule, OutboundModule],
  controllers: [PicturesController],
  providers: [
    PicturesService,
    PagePreviewsService,
    PgPictureRepository,
    provide(PictureStore, [PictureStoreSettings], pictureStoreOf),
    provide(PgServedPictures, [AdaptivePool, PictureStore], (pool, store) => new PgServedPictures(pool, store)),
    provideClass(PicturePurge, [PgPictureRepository, PictureStore, Log, BackgroundJobs]),
  ],
  exports: [PgServedPictures],
})
export class PicturesModule {}
