const answerTimeoutMs = 5000;

/**
 * Aborts an upload when the user interrupts the command. Once the whole file is sent, the service has an import, and only its
 * answer has the id that cancels it. So the answer is awaited for some seconds.
 */
export class UploadInterruption {
  readonly #abort = new AbortController();
  #isSent = false;
  #timeout: NodeJS.Timeout | undefined;

  constructor(private readonly user: AbortSignal) {
    if (user.aborted) this.#abort.abort();
    else user.addEventListener('abort', this.#interrupt, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isSent(): boolean {
    return this.#isSent;
  }

  /** Passes the file on, and notes its end. */
  async *noteEnd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* chunks;
    this.#isSent = true;
  }

  /** Ends the upload. The service may have refused the file before all of it was sent. */
  end(): void {
    this.#abort.abort();
    clearTimeout(this.#timeout);
    this.user.removeEventListener('abort', this.#interrupt);
  }

  readonly #interrupt = (): void => {
    if (this.#isSent) this.#timeout = setTimeout(() => this.#abort.abort(), answerTimeoutMs);
    else this.#abort.abort();
  };
}
