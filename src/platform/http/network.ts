import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { addressGroups } from '../../shared/ip-network';

const mappedPrefix = '::ffff:';

/** An address as proxies write it with a port: `198.51.100.7:51234` or `[2001:db8::1]:51234`. */
const withPort = /^(?:\[([^\]]*)\]|([0-9.]+))(?::[0-9]{1,5})?$/;

export function withoutPort(text: string): string {
  const parts = withPort.exec(text);
  return parts?.[1] ?? parts?.[2] ?? text;
}

/**
 * Returns the key of a client in rate limits: the IPv4 address, or the /64 of an IPv6 subscriber. For addresses it returns the
 * same as `normalizeIp` of `@nestjs/throttler`, which link traffic does not load.
 * @param stated the address that a trusted proxy states, with or without a port, or that of the connection
 * @param connected the address of the connection, which counts if `stated` is no address; undefined once it is closed
 */
export const clientNetworkOf = (stated: string | undefined, connected: string | undefined): string =>
  networkOfAddress(stated) ?? networkOfAddress(connected) ?? '';

/** Returns the whole address of a client; empty if both are invalid. Parameters: as of `clientNetworkOf`. */
export const addressOf = (stated: string | undefined, connected: string | undefined): string =>
  canonicalAddress(stated) ?? canonicalAddress(connected) ?? '';

/** Returns the network of a client, which many clients share: the /24 of an IPv4 address, or the /48 of an IPv6 address. */
export function sharedNetworkOf(address: string): string {
  if (isIPv4(address)) return address.replace(/\d+$/, '0');
  return isIPv6(address) ? prefixOf(address, 3) : '';
}

/** Returns the canonical form (RFC 5952), and an IPv4 address if an IPv6 address has it; null for any other text. */
function canonicalAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  const bare = withoutPort(text).split('%', 1)[0]!;
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return null;
  const canonical = new SocketAddress({ address: bare, family: 'ipv6' }).address;
  const isMapped = canonical.startsWith(mappedPrefix) && canonical.includes('.');
  return isMapped ? canonical.slice(mappedPrefix.length) : canonical;
}

function networkOfAddress(text: string | undefined): string | null {
  const address = canonicalAddress(text);
  return address === null || address === '::1' || isIPv4(address) ? address : `${prefixOf(address, 4)}/64`;
}

/** Returns the first groups of an IPv6 address, and zeros after them. */
function prefixOf(address: string, length: number): string {
  const groups = addressGroups(address.split('%', 1)[0]!)!
    .slice(0, length)
    .map((group) => group.toString(16));
  return new SocketAddress({ address: `${groups.join(':')}::`, family: 'ipv6' }).address;
}
