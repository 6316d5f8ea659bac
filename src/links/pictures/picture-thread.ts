import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../shared/package-root';
import type { ConvertedPicture } from './picture-codec';

/** The thread's program and limits. Tests, and a service that runs its sources, have other ones. */
export const pictureThread = {
  file: join(packageRoot, 'dist', 'picture-worker.js'),
  execArgv: [] as string[],
  /** Of one picture. The largest need two seconds of a processor. */
  timeoutMs: 30_000,
};

/** Limits JavaScript of the thread. The memory of its decoders is limited by the pixels that they get. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * Converts pictures, one after the other, each in a thread that then ends. No picture can stop the event loop or end the process, and
 * the memory of its decoder is free afterwards.
 */
export class PictureThread {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Returns `damaged` for a picture that takes too much time or memory.
   * @throws Error if the service is at fault, such as without the thread's program
   */
  convert(bytes: Buffer): Promise<ConvertedPicture> {
    const converted = this.#last.then(() => this.#convert(bytes));
    this.#last = converted.catch(() => {});
    return converted;
  }

  #convert(bytes: Buffer): Promise<ConvertedPicture> {
    const { file, execArgv, timeoutMs } = pictureThread;
    return new Promise((resolve, reject) => {
      const thread = new Worker(file, { execArgv, resourceLimits, env: {} });
      let result: ConvertedPicture | undefined;
      let fault: unknown = new Error('The thread of a picture ended without a result');
      // A thread that is not terminated would compete with the next one for the processor.
      const timer = setTimeout(() => end({ refusal: 'damaged' }), timeoutMs);
      const end = (converted: ConvertedPicture) => {
        result ??= converted;
        void thread.terminate();
      };
      thread.once('message', end);
      // It then exits.
      thread.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') result ??= { refusal: 'damaged' };
        fault = error;
      });
      thread.once('exit', () => {
        clearTimeout(timer);
        if (result) resolve(result);
        else reject(fault as Error);
      });
      thread.postMessage(bytes);
    });
  }
}
