import { Resolver } from 'node:dns/promises';
import { DomainRecords } from './domain-records';

/** Milliseconds for the first try of a server; later ones get more. */
const timeout = 1000;

const tries = 2;

/** Milliseconds for all tries of all servers. Someone waits, and a database that is gone is to be told within five seconds. */
const patience = 2500;

/** That there is no such name, or none with such a record. All other errors are about the way to the answer. */
const noRecord: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks resolvers, past the system's hosts file and caches. */
export class DnsDomainRecords extends DomainRecords {
  /** @param servers addresses with or without ports; none for the system's */
  constructor(private readonly servers: string[]) {
    super();
  }

  async textsOf(name: string): Promise<string[] | null> {
    // One for each question: it remembers answers, and which servers failed, and can be given up alone.
    const resolver = new Resolver({ timeout, tries });
    const givingUp = setTimeout(() => resolver.cancel(), patience);
    try {
      if (this.servers.length > 0) resolver.setServers(this.servers);
      const records = await resolver.resolveTxt(name);
      // A long value comes as several strings (RFC 7208, section 3.3, says what everybody does).
      return records.map((strings) => strings.join(''));
    } catch (error) {
      return noRecord.has((error as NodeJS.ErrnoException).code) ? [] : null;
    } finally {
      clearTimeout(givingUp);
    }
  }
}
