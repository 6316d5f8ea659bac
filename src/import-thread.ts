import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ImportThreadData } from './app/import-thread-program';

/** Lets requests come first on a busy processor. Only Linux has a priority for each thread. */
if (process.platform === 'linux') setPriority(10);

/** Loads the program after that, because loading takes a second. */
async function main(): Promise<void> {
  await import('reflect-metadata');
  const { runImportThread } = await import('./app/run-import-thread.js');
  await runImportThread(parentPort!, workerData as ImportThreadData);
}

void main();
