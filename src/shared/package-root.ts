import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder that contains `package.json`, `migrations` and `dist`. It is looked for, because the same file is at different depths
 * in `src`, in `build`, and in a bundle of `dist`.
 */
export const packageRoot = folderWithPackage(__dirname);

function folderWithPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderWithPackage(dirname(folder));
}

const packageOfThis = (): { version: string; license: string } =>
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string; license: string };

/** Returns the version in package.json, which the chart, the image and every report of the service repeat. */
export const versionOfThis = (): string => packageOfThis().version;

/** Returns the licence in package.json, which the API description repeats. */
export const licenceOfThis = (): string => packageOfThis().license;
