import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';
import { addressOf, clientNetworkOf, withoutPort } from './network';

/** Returns whether an address is that of a trusted proxy. Some proxies write their own address with a port. */
export function trustOf(trustedProxies: string[]): (address: string, hop: number) => boolean {
  const trusts = proxyAddr.compile(trustedProxies);
  return (address, hop) => trusts(withoutPort(address), hop);
}

/** Identifies clients by the address that a trusted proxy states, or by that of the connection. */
export class ClientAddresses {
  readonly #trusts: (address: string, hop: number) => boolean;

  constructor(trustedProxies: string[]) {
    this.#trusts = trustOf(trustedProxies);
  }

  /** Returns the key of rate limits: the IPv4 address, or the /64 of an IPv6 subscriber. */
  networkOf(request: IncomingMessage): string {
    // Undefined once the connection is closed.
    const address: string | undefined = proxyAddr(request, this.#trusts);
    return clientNetworkOf(address, request.socket.remoteAddress);
  }

  /** Returns the whole address of the client; null if it is invalid. */
  addressOf(request: IncomingMessage): string | null {
    const address: string | undefined = proxyAddr(request, this.#trusts);
    return addressOf(address, request.socket.remoteAddress) || null;
  }

  /** Returns whether a trusted proxy sends the request, so that its other headers are trusted too. */
  comesFromTrustedProxy({ socket }: IncomingMessage): boolean {
    const { remoteAddress } = socket; // undefined once the connection is closed
    return remoteAddress !== undefined && this.#trusts(remoteAddress, 0);
  }
}
