import { readFile } from 'node:fs/promises';

/** Where the identity provider's JSON Web Key Set (RFC 7517) is read from; `signal` ends the reading. */
export type KeySetSource = (signal: AbortSignal) => Promise<string>;

/** Bytes of a key set: a hundred keys of 4096 bits have half of it. */
const maxBytes = 256 * 1024;

/**
 * The key set at the URL, which must answer itself: a redirection could lead anywhere.
 * @throws Error with a reason that can be logged
 */
export const fromUrl =
  (url: URL): KeySetSource =>
  async (signal) => {
    const response = await fetch(url, {
      signal,
      redirect: 'error',
      headers: { Accept: 'application/json' },
    }).catch((error: unknown) => {
      throw new Error(reasonOf(error as Error), { cause: error });
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`the identity provider answers ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) throw new Error('the key set is too large');
    }
    return Buffer.concat(chunks).toString();
  };

/** @throws Error with a reason that can be logged */
export const fromFile =
  (file: string): KeySetSource =>
  (signal) =>
    readFile(file, { encoding: 'utf8', signal });

/** `fetch` says that it failed, and why in the cause; a cause of several attempts has a code alone. */
function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.message || cause?.code || error.message;
}
