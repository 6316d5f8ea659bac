import { Resolver } from 'node:dns/promises';
import { HostAddresses } from './host-addresses';

/** Milliseconds for the first try of a server; later ones get more. */
const timeout = 1000;

const tries = 2;

/** That there is no such name, or none with such a record. All other errors are about the way to the answer. */
const noRecord: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks resolvers, as phones would: no hosts file is looked at. `getaddrinfo` would keep one of the four threads that the
 * database's connections are looked up on for as long as somebody's name server is silent.
 */
export class DnsHostAddresses extends HostAddresses {
  /** @param servers addresses with or without ports; none for the system's */
  constructor(private readonly servers: string[]) {
    super();
  }

  async addressesOf(hostname: string, signal: AbortSignal): Promise<string[] | null> {
    if (signal.aborted) return null;
    const resolver = new Resolver({ timeout, tries });
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel);
    try {
      if (this.servers.length > 0) resolver.setServers(this.servers);
      const [v4, v6] = await Promise.all([orNone(resolver.resolve4(hostname)), orNone(resolver.resolve6(hostname))]);
      const found = [...(v4 ?? []), ...(v6 ?? [])];
      return found.length > 0 || (v4 && v6) ? found : null;
    } catch {
      return null;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

async function orNone(addresses: Promise<string[]>): Promise<string[] | null> {
  try {
    return await addresses;
  } catch (error) {
    return noRecord.has((error as NodeJS.ErrnoException).code) ? [] : null;
  }
}
