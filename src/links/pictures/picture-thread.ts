import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../shared/package-root';
import type { ConvertedPicture, Pixels } from './picture-codec';

/** The thread's program and limits. Tests, and a service that runs its sources, have other ones. */
export const pictureThread = {
  file: join(packageRoot, 'dist', 'picture-worker.js'),
  execArgv: [] as string[],
  /** Of one picture. The largest need two seconds of a processor. */
  timeoutMs: 30_000,
};

export interface PictureTask {
  bytes: Uint8Array;
  /** Pixels of the longer side, to get the pixels; null to convert the picture. */
  side: number | null;
}

/** Limits JavaScript of the thread. The memory of its decoders is limited by the pixels that they get. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * Decodes pictures, one after the other, each in a thread that then ends. No picture can stop the event loop or end the process, and
 * the memory of its decoder is free afterwards.
 */
export class PictureThread {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Returns `damaged` for a picture that takes too much time or memory.
   * @throws Error if the service is at fault, such as without the thread's program
   */
  convert(bytes: Buffer): Promise<ConvertedPicture> {
    return this.#next<ConvertedPicture>({ bytes, side: null }, { refusal: 'damaged' });
  }

  /**
   * Returns the pixels of a stored picture.
   * @param side pixels of the longer side
   * @throws Error
   */
  fit(jpeg: Buffer, side: number): Promise<Pixels> {
    return this.#next<Pixels>({ bytes: jpeg, side });
  }

  #next<Result>(task: PictureTask, atLimit?: Result): Promise<Result> {
    const result = this.#last.then(() => this.#run(task, atLimit));
    this.#last = result.catch(() => {});
    return result;
  }

  #run<Result>(task: PictureTask, atLimit?: Result): Promise<Result> {
    const { file, execArgv, timeoutMs } = pictureThread;
    return new Promise((resolve, reject) => {
      const thread = new Worker(file, { execArgv, resourceLimits, env: {} });
      let result: Result | undefined;
      let fault = new Error('The thread of a picture ended without a result');
      // A thread that is not terminated would compete with the next one for the processor.
      const timer = setTimeout(() => end(atLimit), timeoutMs);
      const end = (value: Result | undefined) => {
        result ??= value;
        void thread.terminate();
      };
      thread.once('message', end);
      // It then exits.
      thread.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') result ??= atLimit;
        fault = error;
      });
      thread.once('exit', () => {
        clearTimeout(timer);
        if (result) resolve(result);
        else reject(fault);
      });
      thread.postMessage(task);
    });
  }
}
