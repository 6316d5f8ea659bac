import { settings } from '../../src/app/config-variables';
import { settingsIn } from '../../src/app/setting';

/** Returns the names of the environment variables that the service reads. */
export const configVariables = (): string[] => [...new Set(settingsIn(settings).map(({ variable }) => variable))];
