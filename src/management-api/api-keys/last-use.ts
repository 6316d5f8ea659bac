import type { ApiKeyRepository } from './api-key.repository';

const minute = 60_000;

/** Collects when keys were used, and writes it down every few seconds: no request waits for it, or fails with it. */
export class LastUse {
  #unwritten = new Map<string, Date>();
  readonly #written = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly onError: (error: unknown) => void,
    interval = 5000,
  ) {
    this.#timer = setInterval(() => void this.flush(), interval).unref();
  }

  note(apiKeyId: string, now: number): void {
    const at = now - (now % minute);
    if ((this.#written.get(apiKeyId) ?? 0) >= at) return;
    if (this.#written.size > 100_000) this.#written.clear();
    this.#written.set(apiKeyId, at);
    this.#unwritten.set(apiKeyId, new Date(at));
  }

  async flush(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const batch = this.#unwritten;
    this.#unwritten = new Map();
    try {
      await this.keys.touch(batch);
    } catch (error) {
      // Kept for the next time, unless a newer use came meanwhile. `#written` bounds how many keys there can be.
      for (const [id, at] of batch) if (!this.#unwritten.has(id)) this.#unwritten.set(id, at);
      this.onError(error);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
