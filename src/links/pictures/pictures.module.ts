import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Log } from '../../platform/observability/log';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provide, provideClass } from '../../shared/provide';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { PgPictureRepository } from './pg-picture.repository';
import { PgPictureStore } from './pg-picture-store';
import { PicturePurge } from './picture-purge';
import { PictureStore } from './picture-store';
import { PicturesController } from './pictures.controller';
import { PicturesService } from './pictures.service';

@Module({
  imports: [DatabaseModule, AccountsModule],
  controllers: [PicturesController],
  providers: [
    PicturesService,
    PgPictureRepository,
    provide(PictureStore, [AdaptivePool], (pool) => new PgPictureStore(pool)),
    provideClass(PicturePurge, [PgPictureRepository, PictureStore, Log, BackgroundJobs]),
  ],
})
export class PicturesModule {}
