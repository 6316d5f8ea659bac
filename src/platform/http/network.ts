import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const mappedPrefix = '::ffff:';

/**
 * Returns the key of an address in rate limits: the IPv4 address, or the /64 of an IPv6 subscriber. It returns the same as
 * `normalizeIp` of `@nestjs/throttler`, which link traffic does not load.
 */
export function networkOf(address: string): string {
  const bare = address.split('%', 1)[0]!;
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return address;
  // The canonical form (RFC 5952).
  const canonical = new SocketAddress({ address: bare, family: 'ipv6' }).address;
  if (canonical === '::1') return canonical;
  if (canonical.startsWith(mappedPrefix) && canonical.includes('.')) return canonical.slice(mappedPrefix.length);
  return `${prefixOf(groupsOf(canonical))}/64`;
}

/** Returns the eight groups of an address. Only some addresses under `::/96` end with an IPv4 address, which the prefix lacks. */
function groupsOf(canonical: string): string[] {
  const [before = '', after] = canonical.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after ? after.split(':') : [];
  const hidden = 8 - left.length - right.length - (canonical.includes('.') ? 1 : 0);
  return after === undefined ? left : [...left, ...Array.from({ length: hidden }, () => '0'), ...right];
}

function prefixOf(groups: string[]): string {
  const prefix = groups.slice(0, 4).join(':');
  return new SocketAddress({ address: `${prefix}::`, family: 'ipv6' }).address;
}
