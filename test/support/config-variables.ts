import { settings } from '../../src/app/settings/config-variables';
import { settingsIn } from '../../src/app/settings/setting';

/** Returns the names of the environment variables that the service reads. */
export const configVariables = (): string[] => [...new Set(settingsIn(settings).map(({ variable }) => variable))];
