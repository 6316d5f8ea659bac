import { type DynamicModule, Module } from '@nestjs/common';
import { ClicksModule } from '../clicks/recording/clicks.module';
import { AccountsModule } from '../tenancy/accounts/accounts.module';
import { AppsModule } from '../links/apps/apps.module';
import { ApiKeysModule } from '../tenancy/api-keys/api-keys.module';
import { DynamicLinksModule } from '../links/dynamic-links/dynamic-links.module';
import { ProjectsModule } from '../links/projects/projects.module';
import { ShortLinksModule } from '../links/short-links/short-links.module';
import type { Environment } from './environment';
import { SettingsModule } from './settings.module';

/** Assembles what `npm run demo` needs: no listener, no link traffic, no Redis. */
@Module({
  imports: [
    AccountsModule,
    ApiKeysModule,
    ProjectsModule,
    AppsModule,
    DynamicLinksModule,
    ShortLinksModule,
    ClicksModule,
  ],
})
export class DemoModule {
  static with(environment: Environment): DynamicModule {
    return { module: DemoModule, imports: [SettingsModule.with(environment)] };
  }
}
