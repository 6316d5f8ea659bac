import { setTimeout as sleep } from 'node:timers/promises';

/** The pause after a batch, in times of the batch. With a pause of one, the slowest visits took 1.6 times as long. */
export const pauseFactor = 2;

/** The time of work without a pause, in milliseconds. A system lets a thread that does not pause work for three. */
const workMs = 1;

const pauseMs = 1;

/** Pauses an import after each millisecond of work, so that the processor is free for a visit soon. */
export class ImportTurns {
  #endsAt = performance.now() + workMs;

  /** Returns a promise to await if the work took long enough. Call it after each fraction of a millisecond. */
  next(): Promise<void> | undefined {
    if (performance.now() < this.#endsAt) return undefined;
    return sleep(pauseMs).then(() => {
      this.#endsAt = performance.now() + workMs;
    });
  }
}
