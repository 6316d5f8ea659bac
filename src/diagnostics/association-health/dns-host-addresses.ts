import { dnsAnswer } from '../../platform/dns/dns-answer';
import { HostAddresses } from './host-addresses';

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
    const [v4, v6] = await Promise.all([
      dnsAnswer(this.servers, (resolver) => resolver.resolve4(hostname), signal),
      dnsAnswer(this.servers, (resolver) => resolver.resolve6(hostname), signal),
    ]);
    const found = [...(v4 ?? []), ...(v6 ?? [])];
    return found.length > 0 || (v4 && v6) ? found : null;
  }
}
