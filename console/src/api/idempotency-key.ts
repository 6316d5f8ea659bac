/** Returns a new key for a creation, so that sending it again creates nothing twice. */
export const idempotencyKey = (): string => crypto.randomUUID();

/** Holds the key of a creation while its values are the same, because an answer that was lost may have been a success. */
export class CreationKey {
  #last: { values: string; key: string } | null = null;

  /** Returns the key of the last creation if it had the same values, and a new one otherwise. */
  of(values: unknown): string {
    const text = JSON.stringify(values);
    if (this.#last?.values !== text) this.#last = { values: text, key: idempotencyKey() };
    return this.#last.key;
  }

  /** Lets the same values create another thing, after the success of a creation. */
  forget(): void {
    this.#last = null;
  }
}
