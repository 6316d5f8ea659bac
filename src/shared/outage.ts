/** Milliseconds after a failed look-up in which nobody tries again. */
const respite = 500;

/**
 * Spares visitors the wait for a database that does not answer, where they can be served without: once a look-up has
 * failed, one at a time tries whether it answers again.
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
