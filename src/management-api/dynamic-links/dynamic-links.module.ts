import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../accounts/accounts.module';
import { AndroidAppsModule } from '../android-apps/android-apps.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { IosAppsModule } from '../ios-apps/ios-apps.module';
import { DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinkSchema } from './dynamic-link.schema';
import { DynamicLinksController } from './dynamic-links.controller';
import { DynamicLinksService } from './dynamic-links.service';
import { TypeormDynamicLinkRepository } from './typeorm-dynamic-link.repository';

@Module({
  imports: [
    DatabaseModule,
    TypeOrmModule.forFeature([DynamicLinkSchema]),
    AccountsModule,
    IdempotencyModule,
    IosAppsModule,
    AndroidAppsModule,
  ],
  controllers: [DynamicLinksController],
  providers: [DynamicLinksService, { provide: DynamicLinkRepository, useClass: TypeormDynamicLinkRepository }],
  exports: [DynamicLinkRepository, DynamicLinksService],
})
export class DynamicLinksModule {}
