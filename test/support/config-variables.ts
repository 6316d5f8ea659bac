import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './chart-tools';

/** Returns the names of the environment variables that `src/app/config.ts` reads. */
export function configVariables(): string[] {
  const source = readFileSync(join(root, 'src/app/config.ts'), 'utf8');
  const [, body] = /^const variables = z\.object\(\{\n([^]*?)^\}\)/m.exec(source) ?? [];
  const names = [...(body ?? '').matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name!);
  if (!names.includes('DATABASE_URL')) throw new Error('the variables of src/app/config.ts were not found');
  return names;
}
