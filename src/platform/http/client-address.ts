import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from 'proxy-addr';
import { addressOf, networkOf, withoutPort } from './network';

/** Returns whether an address is that of a trusted proxy. Some proxies write their own address with a port. */
export function trustOf(trustedProxies: string[]): (address: string, hop: number) => boolean {
  const trusts = proxyAddr.compile(trustedProxies);
  return (address, hop) => trusts(withoutPort(address), hop);
}

/** Identifies clients by the address that a trusted proxy states, or by that of the connection. */
export class ClientAddresses {
  readonly #trusts: (address: string, hop: number) => boolean;
  readonly #trusted = new WeakMap<Socket, boolean>();

  constructor(trustedProxies: string[]) {
    this.#trusts = trustOf(trustedProxies);
  }

  /** Returns the key of rate limits: the IPv4 address, or the /64 of an IPv6 subscriber. */
  networkOf(request: IncomingMessage): string {
    // Undefined once the connection is closed.
    const address: string | undefined = proxyAddr(request, this.#trusts);
    return networkOf(address, request.socket.remoteAddress);
  }

  /** Returns the whole address of the client; null if it is invalid. */
  addressOf(request: IncomingMessage): string | null {
    const address: string | undefined = proxyAddr(request, this.#trusts);
    return addressOf(address, request.socket.remoteAddress) || null;
  }

  /** Returns whether a trusted proxy sends the request, so that its other headers are trusted too. */
  comesFromTrustedProxy({ socket }: IncomingMessage): boolean {
    let trusted = this.#trusted.get(socket);
    if (trusted === undefined) {
      const { remoteAddress } = socket; // undefined once the connection is closed
      trusted = remoteAddress !== undefined && this.#trusts(remoteAddress, 0);
      this.#trusted.set(socket, trusted);
    }
    return trusted;
  }
}
