import { Resolver } from 'node:dns/promises';

/** Milliseconds for the first try of a server; later ones get more. */
const timeout = 1000;

const tries = 2;

/** That there is no such name, or none with such a record. All other errors are about the way to the answer. */
const noRecord: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * What resolvers answer, past the system's hosts file and caches: nothing where they say that there is nothing, null where it
 * could not be told before `signal`. Never throws.
 *
 * @param servers addresses with or without ports; none for the system's
 */
export async function dnsAnswer<T>(
  servers: readonly string[],
  question: (resolver: Resolver) => Promise<T[]>,
  signal: AbortSignal,
): Promise<T[] | null> {
  if (signal.aborted) return null;
  // One for each question: it remembers answers, and which servers failed, and can be given up alone.
  const resolver = new Resolver({ timeout, tries });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    if (servers.length > 0) resolver.setServers(servers);
    return await question(resolver);
  } catch (error) {
    return noRecord.has((error as NodeJS.ErrnoException).code) ? [] : null;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
