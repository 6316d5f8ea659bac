import { Injectable } from '@nestjs/common';
import { dnsAnswer, DnsSettings } from '../dns/dns-answer';
import { HostAddresses } from './host-addresses';

/**
 * Resolves addresses by DNS queries, without the hosts file. It avoids `getaddrinfo`, because a silent name server would block
 * one of the four libuv threads that also resolve the database host.
 */
@Injectable()
export class DnsHostAddresses implements HostAddresses {
  constructor(private readonly settings: DnsSettings) {}

  async addressesOf(hostname: string, signal: AbortSignal): Promise<string[] | null> {
    const [v4, v6] = await Promise.all([
      dnsAnswer(this.settings.resolvers, (resolver) => resolver.resolve4(hostname), signal),
      dnsAnswer(this.settings.resolvers, (resolver) => resolver.resolve6(hostname), signal),
    ]);
    const addresses = [...(v4 ?? []), ...(v6 ?? [])];
    return addresses.length > 0 || (v4 && v6) ? addresses : null;
  }
}
