import type { IncomingMessage } from 'node:http';
import { normalizeIp } from '@nestjs/throttler';
import proxyAddr from 'proxy-addr';

/** Tells who sends a request, by the address that a trusted proxy states, or that the connection comes from. */
export class ClientAddresses {
  readonly #trusts: (address: string, hop: number) => boolean;

  /** @param trustedProxies addresses and CIDR ranges whose `X-Forwarded-For` is believed */
  constructor(trustedProxies: string[]) {
    this.#trusts = proxyAddr.compile(trustedProxies);
  }

  /** By what its requests are counted: the IPv4 address, or the /64 that one IPv6 subscriber has. */
  networkOf(request: IncomingMessage): string {
    return normalizeIp(proxyAddr(request, this.#trusts));
  }
}
