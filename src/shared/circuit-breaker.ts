const retryAfterMs = 500;

/** Prevents waits for a database or Redis that fails. After a failure, one request at a time probes it. */
export class CircuitBreaker {
  #failedAt: number | null = null;
  #probing = false;

  /** Returns whether the caller may send a request. A caller that may must record its outcome. */
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
