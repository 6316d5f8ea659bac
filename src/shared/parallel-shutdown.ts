/**
 * Ends the work of a provider of Nest together with that of the others. Nest waits for the hook of one provider after the other, and a
 * stop has ten seconds after the drain (docs/decisions/0001-composition.md).
 */
export abstract class ParallelShutdown {
  #stopped: Promise<unknown> | undefined;

  /** Ends the work. Pools close afterwards, so it can still write. */
  abstract stop(): Promise<unknown>;

  beforeApplicationShutdown(): void {
    this.#stopped = this.stop();
    // `onApplicationShutdown` has the error; until then nobody waits for it.
    this.#stopped.catch(() => {});
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#stopped;
  }
}
