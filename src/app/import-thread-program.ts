import { join } from 'node:path';
import type { ThreadProgram } from '../platform/threads/worker-thread';
import { packageRoot } from '../shared/package-root';
import type { Environment } from './environment';

/** The `workerData` of the thread. It reads the settings itself, except for the database, which may be the embedded one. */
export interface ImportThreadData {
  database: Environment['database'];
}

/** Limits the heap of the thread. Measured: an import of 100,000 rows takes 60 MB of it, and one batch has at most 1 MB of rows. */
const maxHeapMb = 160;

/** Returns the thread that imports work in. */
export const importThreadProgram = ({ url, directUrl }: Environment['database']): ThreadProgram => ({
  file: join(packageRoot, 'dist', 'import-thread.js'),
  data: { database: { url, directUrl } } satisfies ImportThreadData,
  maxHeapMb,
});
