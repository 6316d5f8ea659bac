import { type DynamicModule, Module } from '@nestjs/common';
import { ClicksModule } from '../clicks/clicks.module';
import { AccountsModule } from '../management-api/accounts/accounts.module';
import { AndroidAppsModule } from '../management-api/android-apps/android-apps.module';
import { ApiKeysModule } from '../management-api/api-keys/api-keys.module';
import { DynamicLinksModule } from '../management-api/dynamic-links/dynamic-links.module';
import { IosAppsModule } from '../management-api/ios-apps/ios-apps.module';
import { ProjectsModule } from '../management-api/projects/projects.module';
import { ShortLinksModule } from '../management-api/short-links/short-links.module';
import type { Environment } from './environment';
import { SettingsModule } from './settings.module';

/** Assembles what `npm run demo` needs: no listener, no link traffic, no Redis. */
@Module({
  imports: [
    AccountsModule,
    ApiKeysModule,
    ProjectsModule,
    IosAppsModule,
    AndroidAppsModule,
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
