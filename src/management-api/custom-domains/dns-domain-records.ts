import { dnsAnswer } from '../../platform/dns/dns-answer';
import { DomainRecords } from './domain-records';

/** Milliseconds for all tries of all servers. Someone waits, and a database that is gone is to be told within five seconds. */
const timeoutMs = 2500;

/** Asks resolvers, past the system's hosts file and caches. */
export class DnsDomainRecords extends DomainRecords {
  /** @param servers addresses with or without ports; none for the system's */
  constructor(private readonly servers: string[]) {
    super();
  }

  async textsOf(name: string): Promise<string[] | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const records = await dnsAnswer(this.servers, (resolver) => resolver.resolveTxt(name), signal);
    // A long value comes as several strings (RFC 7208, section 3.3, says what everybody does).
    return records?.map((strings) => strings.join('')) ?? null;
  }
}
