import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AccountsModule } from '../accounts/accounts.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { ApiKeysController } from './api-keys.controller';
import { LeakedKeysController } from './leaked-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { PgPublishableKeys } from './pg-publishable-keys';
import { TypeormApiKeyRepository } from './typeorm-api-key.repository';

@Module({
  imports: [DatabaseModule, AccountsModule, IdempotencyModule],
  controllers: [ApiKeysController, LeakedKeysController],
  providers: [ApiKeysService, PgPublishableKeys, TypeormApiKeyRepository],
  exports: [TypeormApiKeyRepository, ApiKeysService, PgPublishableKeys],
})
export class ApiKeysModule {}
