import { BadSetting } from '../shared/bad-setting';
import { withContext } from './command-context';
import { readConfig } from './settings/config';
import { refillDemo } from './demo';
import { Module } from '@nestjs/common';
import { ClicksModule } from '../clicks/recording/clicks.module';
import { AccountsModule } from '../tenancy/accounts/accounts.module';
import { AppsModule } from '../links/apps/apps.module';
import { ApiKeysModule } from '../tenancy/api-keys/api-keys.module';
import { DynamicLinksModule } from '../links/dynamic-links/dynamic-links.module';
import { ProjectsModule } from '../links/projects/projects.module';
import { ShortLinksModule } from '../links/short-links/short-links.module';

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
class DemoModule {}

/** Fills the demo project on the configured database, while the service runs or not, and prints a link to it. */
export async function runDemo(): Promise<void> {
  const settings = readConfig();
  if (settings.production)
    throw new BadSetting('NODE_ENV: must be development or test, because the demo account is not for production');
  process.stdout.write(await withContext(settings, DemoModule, refillDemo));
}
