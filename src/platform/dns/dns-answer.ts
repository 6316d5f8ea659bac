import { Resolver } from 'node:dns/promises';

export class DnsSettings {
  /** Addresses with or without ports; empty for the system's resolvers. */
  readonly resolvers: string[];
}

const timeoutMs = 1000;

const tries = 2;

/** Codes for a missing name or record. All other errors mean that the answer is unknown. */
const noRecord: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Queries resolvers, past the system's hosts file and caches. Returns an empty list if no record exists, and null if the answer
 * is unknown when `signal` aborts. Never throws.
 *
 * @param servers addresses with or without ports; empty for the system's resolvers
 */
export async function dnsAnswer<T>(
  servers: readonly string[],
  question: (resolver: Resolver) => Promise<T[]>,
  signal: AbortSignal,
): Promise<T[] | null> {
  if (signal.aborted) return null;
  // One resolver per question, because it caches answers and failed servers, and cancels all its questions at once.
  const resolver = new Resolver({ timeout: timeoutMs, tries });
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
