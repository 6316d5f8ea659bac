import { setImmediate as nextTurn } from 'node:timers/promises';

/** Shorter work delays no request noticeably. */
const maxWorkMs = 5;

/** Lets other work run in the middle of a long computation. It measures time, because the cost of a part depends on its input. */
export class EventLoopTurns {
  #endsAt = performance.now() + maxWorkMs;

  /** Returns a promise to await if this turn of the event loop took long enough. Call it after each fraction of a millisecond. */
  next(): Promise<void> | undefined {
    if (performance.now() < this.#endsAt) return undefined;
    return nextTurn().then(() => {
      this.#endsAt = performance.now() + maxWorkMs;
    });
  }
}
