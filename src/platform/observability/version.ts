import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the version of the package, such as `1.2.3`. */
export function versionOfThis(): string {
  const text = readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
