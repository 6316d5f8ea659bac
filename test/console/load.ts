import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(__dirname, '../../console/src/index'));

/** Loads a module of the console. An import would follow its other TypeScript settings, so that it has no types here. */
export const load = (path: string) => require(`./${path}`);
