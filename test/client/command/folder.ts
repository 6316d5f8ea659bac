import { join } from 'node:path';
import { aTemporaryFolder } from '../../support/temporary-folder';

/** Creates a folder for the files of a spec, and removes it at the end. */
export function aFolder() {
  const folder = aTemporaryFolder();
  return { file: (name: string): string => join(folder, name) };
}
