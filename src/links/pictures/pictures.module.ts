import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { provideClass } from '../../shared/provide';
import { AccountsModule } from '../../tenancy/accounts/accounts.module';
import { PgPictureRepository } from './pg-picture.repository';
import { PicturePurge } from './picture-purge';
import { PicturesController } from './pictures.controller';
import { PicturesService } from './pictures.service';

@Module({
  imports: [DatabaseModule, AccountsModule],
  controllers: [PicturesController],
  providers: [
    PicturesService,
    PgPictureRepository,
    provideClass(PicturePurge, [PgPictureRepository, Log, BackgroundJobs]),
  ],
})
export class PicturesModule {}
