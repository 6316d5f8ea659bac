import { Module } from '@nestjs/common';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ShortLinksModule } from '../short-links/short-links.module';
import { provideClass } from '../../shared/provide';
import { PgServedPictures } from '../pictures/pg-served-pictures';
import { PicturesModule } from '../pictures/pictures.module';
import { QrCodesController } from './qr-codes.controller';
import { QrLogos } from './qr-logos';

@Module({
  imports: [DynamicLinksModule, ShortLinksModule, PicturesModule],
  controllers: [QrCodesController],
  providers: [provideClass(QrLogos, [PgServedPictures])],
})
export class QrCodesModule {}
