/** Writes items in the background, in order and in batches, and repeats a batch that fails. A batch may be written twice. */
export class BackgroundWriter<Item> {
  #waiting: Item[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /**
   * @param limits the pause before a write in milliseconds, ten times as long after a failure; the items per write; and the items
   * that wait at most
   */
  constructor(
    private readonly writeAll: (items: readonly Item[]) => Promise<void>,
    private readonly limits: { intervalMs: number; perWrite: number; waiting: number },
    private readonly onError: (error: unknown) => void,
  ) {}

  get waiting(): readonly Item[] {
    return this.#waiting;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.limits.waiting;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#scheduleWrite(this.limits.intervalMs);
  }

  /** Writes all waiting items. Shares a running write, because a queue of writes would grow while the database hangs. */
  write(): Promise<void> {
    this.#writing ??= this.#writeWaiting().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.write().catch(() => {}); // already reported
  }

  #scheduleWrite(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.write().catch(() => {}); // already reported, and scheduled again
    }, delayMs).unref();
  }

  async #writeWaiting(): Promise<void> {
    const { perWrite, intervalMs } = this.limits;
    try {
      while (this.#waiting.length > 0) {
        const items = this.#waiting.slice(0, perWrite);
        await this.writeAll(items);
        this.#waiting = this.#waiting.slice(items.length);
      }
    } catch (error) {
      this.onError(error);
      // Items that arrived during the write scheduled an earlier one.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#scheduleWrite(10 * intervalMs);
      throw error;
    }
  }
}
