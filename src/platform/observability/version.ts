import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../shared/package-root';

const packageOfThis = (): { version: string; license: string } =>
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string; license: string };

/** Returns the version in package.json, which the chart, the image and every report of the service repeat. */
export const versionOfThis = (): string => packageOfThis().version;

/** Returns the licence in package.json, which the API description repeats. */
export const licenceOfThis = (): string => packageOfThis().license;
