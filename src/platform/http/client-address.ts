import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import proxyAddr from 'proxy-addr';

/** Tells who sends a request, by the address that a trusted proxy states, or that the connection comes from. */
export class ClientAddresses {
  readonly #trusts: (address: string, hop: number) => boolean;
  readonly #trusted = new WeakMap<Socket, boolean>();

  /** @param trustedProxies addresses and CIDR ranges whose `X-Forwarded-For` is believed */
  constructor(trustedProxies: string[]) {
    this.#trusts = proxyAddr.compile(trustedProxies);
  }

  /** By what its requests are counted: the IPv4 address, or the /64 that one IPv6 subscriber has. */
  networkOf(request: IncomingMessage): string {
    return normalizeIp(proxyAddr(request, this.#trusts));
  }

  /** Whether a trusted proxy sends it, so that what it states beside the address is believed too. */
  comesFromTrustedProxy({ socket }: IncomingMessage): boolean {
    let trusted = this.#trusted.get(socket);
    if (trusted === undefined) {
      const { remoteAddress } = socket; // none once the connection is closed
      trusted = remoteAddress !== undefined && this.#trusts(remoteAddress, 0);
      this.#trusted.set(socket, trusted);
    }
    return trusted;
  }
}
