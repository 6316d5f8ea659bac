/** Milliseconds after a failure in which nobody tries again. */
const retryAfterMs = 500;

/**
 * Spares whoever can be served without it the wait for a database or Redis that does not answer: once it has failed, one at a
 * time tries whether it answers again.
 */
export class CircuitBreaker {
  #failedAt: number | null = null;
  #probing = false;

  /** Whether it is worth asking. Who is told so tells how it went. */
  allowsRequest(): boolean {
    if (this.#failedAt === null) return true;
    if (this.#probing || performance.now() - this.#failedAt < retryAfterMs) return false;
    this.#probing = true;
    return true;
  }

  recordSuccess(): void {
    this.#failedAt = null;
    this.#probing = false;
  }

  recordFailure(): void {
    this.#failedAt = performance.now();
    this.#probing = false;
  }
}
