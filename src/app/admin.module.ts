import { type DynamicModule, Module } from '@nestjs/common';
import { ClickCopyModule } from '../clicks/recording/click-copy.module';
import { AccountsModule } from '../tenancy/accounts/accounts.module';
import { ApiKeysModule } from '../tenancy/api-keys/api-keys.module';
import type { Environment } from './environment';
import { SettingsModule } from './settings.module';

/** Assembles what the admin program needs: no listener, no link traffic, no Redis. */
@Module({ imports: [AccountsModule, ApiKeysModule, ClickCopyModule] })
export class AdminModule {
  static with(environment: Environment): DynamicModule {
    return { module: AdminModule, imports: [SettingsModule.with(environment)] };
  }
}
