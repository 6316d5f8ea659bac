import { bindContext } from '../../shared/bind-context';

/** A step takes up to a quarter of a millisecond, so that a visit waits for about two milliseconds. */
const stepsPerTurn = 8;

type Step = () => void;

/**
 * Runs a few steps of requests per turn of the event loop, so that link traffic goes on between them during a burst. Callers take
 * turns: a burst of one caller does not delay the next request of another one.
 */
export class RequestPacer {
  waiting = 0;
  readonly #lines = new Map<string, Step[]>();
  #takenInTurn = 0;

  /** Takes a place in this turn. Returns false if none is free; `hold` then runs the step in a later turn. */
  tryTake(): boolean {
    if (this.#takenInTurn === 0) setImmediate(this.#nextTurn);
    if (this.#takenInTurn === stepsPerTurn || this.waiting > 0) return false;
    this.#takenInTurn++;
    return true;
  }

  /** Keeps the step's asynchronous context. Without it, the step would run in that of the request that began the turn. */
  hold(caller: string, step: Step): void {
    const held = bindContext(step);
    const line = this.#lines.get(caller);
    if (line) line.push(held);
    else this.#lines.set(caller, [held]);
    this.waiting++;
  }

  readonly #nextTurn = (): void => {
    this.#takenInTurn = 0;
    if (this.waiting === 0) return;
    setImmediate(this.#nextTurn);
    for (const [caller, line] of this.#lines) {
      if (this.#takenInTurn === stepsPerTurn) return;
      // To the end of the lines, so that the next caller is first in the next turn.
      this.#lines.delete(caller);
      const step = line.shift()!;
      if (line.length > 0) this.#lines.set(caller, line);
      this.waiting--;
      this.#takenInTurn++;
      step();
    }
  };
}
