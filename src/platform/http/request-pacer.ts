import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A request takes up to half a millisecond before its first query, so that a visit waits for about two milliseconds. */
const startsPerTurn = 4;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Starts a few requests per turn of the event loop, so that link traffic goes on between them during a burst. Callers take turns:
 * a burst of one credential does not delay the next request of another one.
 */
export class RequestPacer {
  /** Requests that wait now, for metrics. */
  waiting = 0;
  readonly #lines = new Map<string, Waiting[]>();
  #startedInTurn = 0;

  constructor(private readonly start: RequestListener) {}

  readonly listener: RequestListener = (request, response) => {
    if (this.#startedInTurn === 0) setImmediate(this.#nextTurn);
    if (this.#startedInTurn < startsPerTurn && this.waiting === 0) {
      this.#startedInTurn++;
      this.start(request, response);
    } else this.#hold(request, response);
  };

  #hold(request: IncomingMessage, response: ServerResponse): void {
    // The credential is not checked yet. A forged one gets a separate line, which the rate limit by address then refuses.
    const caller = request.headers.authorization ?? request.socket.remoteAddress ?? '';
    const line = this.#lines.get(caller);
    if (line) line.push({ request, response });
    else this.#lines.set(caller, [{ request, response }]);
    this.waiting++;
  }

  readonly #nextTurn = (): void => {
    this.#startedInTurn = 0;
    if (this.waiting === 0) return;
    setImmediate(this.#nextTurn);
    for (const [caller, line] of this.#lines) {
      if (this.#startedInTurn === startsPerTurn) return;
      // To the end of the lines, so that the next caller is first in the next turn.
      this.#lines.delete(caller);
      const { request, response } = line.shift()!;
      if (line.length > 0) this.#lines.set(caller, line);
      this.waiting--;
      this.#startedInTurn++;
      if (!request.socket.destroyed) this.start(request, response);
    }
  };
}
