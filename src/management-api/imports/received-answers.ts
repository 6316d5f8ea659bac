import { setTimeout as sleep } from 'node:timers/promises';
import type { ParsedAnswer } from '../import-apis/import-api-client';
import { ImportApiFailure } from '../import-apis/import-api.errors';
import { pauseFactor } from '../import-work/import-turns';

/** Bytes of a list. A link of an API has up to ten times those of a row in a file. Tests lower it. */
export const listLimits = { maxBytes: 1_000_000_000 };

/** @throws ImportApiFailure if a list has too many bytes */
export function requireListSize(bytes: number): void {
  if (bytes > listLimits.maxBytes)
    throw new ImportApiFailure('list_too_large', 'The list has more than 1 GB; choose a part of it, or import files');
}

/** Counts the answers of a list, and pauses after each. An answer can be large and have no link, so that no row limits it. */
export class ReceivedAnswers {
  #bytes = 0;

  constructor(private readonly signal: AbortSignal) {}

  /** @throws ImportApiFailure if the list is too large; the reason of the signal if that aborts */
  async add({ bytes, parsedInMs }: ParsedAnswer): Promise<void> {
    this.#bytes += bytes;
    requireListSize(this.#bytes);
    const { signal } = this;
    await sleep(pauseFactor * parsedInMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
  }
}
