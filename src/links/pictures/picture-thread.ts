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

  /** Returns `damaged` for a picture that takes too much time or memory. */
  convert(bytes: Buffer): Promise<ConvertedPicture> {
    const converted = this.#last.then(() => this.#convert(bytes));
    this.#last = converted.catch(() => {});
    return converted;
  }

  #convert(bytes: Buffer): Promise<ConvertedPicture> {
    const { file, execArgv, timeoutMs } = pictureThread;
    return new Promise((resolve) => {
      const thread = new Worker(file, { execArgv, resourceLimits, env: {} });
      let result: ConvertedPicture = { refusal: 'damaged' };
      // A thread that is not terminated would compete with the next one for the processor.
      const timer = setTimeout(() => void thread.terminate(), timeoutMs);
      thread.once('message', (converted: ConvertedPicture) => {
        result = converted;
        void thread.terminate();
      });
      // It then exits.
      thread.once('error', () => {});
      thread.once('exit', () => {
        clearTimeout(timer);
        resolve(result);
      });
      thread.postMessage(bytes);
    });
  }
}
