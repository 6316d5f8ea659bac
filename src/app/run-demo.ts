import { BadSetting } from '../shared/bad-setting';
import { withContext } from './command-context';
import { readConfig } from './config';
import { refillDemo } from './demo';
import { DemoModule } from './demo.module';

/** Fills the demo project on the configured database, while the service runs or not, and prints a link to it. */
export async function runDemo(): Promise<void> {
  const settings = readConfig();
  if (settings.production)
    throw new BadSetting('NODE_ENV: must be development or test, because the demo account is not for production');
  process.stdout.write(await withContext(settings, (environment) => DemoModule.with(environment), refillDemo));
}
