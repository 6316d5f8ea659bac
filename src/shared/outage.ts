/** Milliseconds after a failure in which nobody tries again. */
const respite = 500;

/**
 * Spares whoever can be served without it the wait for a database or Redis that does not answer: once it has failed, one at a
 * time tries whether it answers again.
 */
export class Outage {
  #failedAt: number | null = null;
  #probing = false;

  /** Whether it is worth asking. Who is told so tells how it went. */
  admits(): boolean {
    if (this.#failedAt === null) return true;
    if (this.#probing || performance.now() - this.#failedAt < respite) return false;
    this.#probing = true;
    return true;
  }

  answered(): void {
    this.#failedAt = null;
    this.#probing = false;
  }

  failed(): void {
    this.#failedAt = performance.now();
    this.#probing = false;
  }
}
