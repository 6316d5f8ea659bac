import { Module } from '@nestjs/common';
import { DynamicLinksModule } from '../dynamic-links/dynamic-links.module';
import { ShortLinksModule } from '../short-links/short-links.module';
import { QrCodesController } from './qr-codes.controller';

@Module({ imports: [DynamicLinksModule, ShortLinksModule], controllers: [QrCodesController] })
export class QrCodesModule {}
