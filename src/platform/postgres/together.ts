import { setImmediate as endOfTurn } from 'node:timers/promises';
import { timeLeft, withDeadline } from './deadline';

interface Turn<T> {
  ids: Set<string>;
  /** Milliseconds, of the request that has the least. */
  timeLeft: number;
  found: Promise<ReadonlyMap<string, T>>;
}

/**
 * Sends look-ups by id, or another key, that are asked for in the same turn of the event loop as one query. Each is answered by a query that
 * was sent after it was asked, so nothing is older than it would be alone, and nothing is kept.
 */
export class Together<T> {
  #turn: Turn<T> | null = null;

  /** @param findAll what there is of these ids, each named once */
  constructor(private readonly findAll: (ids: string[]) => Promise<ReadonlyMap<string, T>>) {}

  /** Null where there is none of that id. */
  async find(id: string): Promise<T | null> {
    const turn = (this.#turn ??= this.#begin());
    turn.ids.add(id);
    turn.timeLeft = Math.min(turn.timeLeft, timeLeft());
    return (await turn.found).get(id) ?? null;
  }

  #begin(): Turn<T> {
    const found = endOfTurn().then(() => {
      this.#turn = null;
      const ask = () => this.findAll([...turn.ids]);
      return turn.timeLeft === Infinity ? ask() : withDeadline(turn.timeLeft, ask);
    });
    const turn: Turn<T> = { ids: new Set(), timeLeft: Infinity, found };
    return turn;
  }
}
