import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder that contains `package.json`, `migrations` and `dist`. It is looked for, because the same file is at different depths
 * in `src`, in `build`, and in a bundle of `dist`.
 */
export const packageRoot = folderWithPackage(__dirname);

function folderWithPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderWithPackage(dirname(folder));
}
