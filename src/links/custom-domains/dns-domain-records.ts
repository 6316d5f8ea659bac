import { dnsAnswer } from '../../platform/dns/dns-answer';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';
import { DomainRecords } from './domain-records';

/** Limits all attempts together, so that a request that then finds no database still fails within five seconds. */
const timeoutMs = 2500;

/** Queries resolvers directly, without the system's hosts file and caches. */
export class DnsDomainRecords extends DomainRecords {
  /** @param servers addresses with or without ports; an empty list selects the system's resolvers */
  constructor(private readonly servers: string[]) {
    super();
  }

  async textsOf(name: string): Promise<string[] | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const records = await dnsAnswer(this.servers, (resolver) => resolver.resolveTxt(name), signal);
    // A long value consists of several strings (RFC 7208, section 3.3).
    return records?.map((strings) => strings.join('')) ?? null;
  }

  async aliasesOf(name: string): Promise<string[] | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const aliases = await dnsAnswer(this.servers, (resolver) => resolver.resolveCname(name), signal);
    return aliases?.map((alias) => alias.replace(/\.$/, '').toLowerCase()) ?? null;
  }

  addressesOf(name: string): Promise<string[] | null> {
    return new DnsHostAddresses(this.servers).addressesOf(name, AbortSignal.timeout(timeoutMs));
  }
}
