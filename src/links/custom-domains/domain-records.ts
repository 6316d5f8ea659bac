import { dnsAnswer, type DnsSettings } from '../../platform/dns/dns-answer';
import { DnsHostAddresses } from '../../platform/outbound/dns-host-addresses';

/** A TXT record that the DNS should have. */
export interface TxtRecord {
  name: string;
  value: string;
}

/** Limits all attempts together, so that a request that then finds no database still fails within five seconds. */
const timeoutMs = 2500;

/** Looks up the DNS records of domains at resolvers, without the system's hosts file and caches. */
export class DomainRecords {
  constructor(private readonly settings: DnsSettings) {}

  /**
   * Returns the values of the name's TXT records, or an empty list if the DNS has no such record.
   * Returns null if no resolver gave an answer. Returns within three seconds, and never throws.
   */
  async textsOf(name: string): Promise<string[] | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const records = await dnsAnswer(this.settings.resolvers, (resolver) => resolver.resolveTxt(name), signal);
    // A long value consists of several strings (RFC 7208, section 3.3).
    return records?.map((strings) => strings.join('')) ?? null;
  }

  /** Returns the targets of the name's CNAME records in lower case, without a final dot; otherwise as `textsOf`. */
  async aliasesOf(name: string): Promise<string[] | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const aliases = await dnsAnswer(this.settings.resolvers, (resolver) => resolver.resolveCname(name), signal);
    return aliases?.map((alias) => alias.replace(/\.$/, '').toLowerCase()) ?? null;
  }

  /** Returns the IPv4 and IPv6 addresses of the name, also behind a CNAME; otherwise as `textsOf`. */
  addressesOf(name: string): Promise<string[] | null> {
    return new DnsHostAddresses(this.settings).addressesOf(name, AbortSignal.timeout(timeoutMs));
  }
}
