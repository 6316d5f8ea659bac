import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA, "IPv4 Special-Purpose Address Registry": not globally reachable, or not by unicast. */
export const special4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * IANA, "IPv6 Special-Purpose Address Registry", inside 2000::/3: protocol assignments (with Teredo), documentation, and 6to4,
 * which embeds an IPv4 address.
 */
export const special6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of special4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of special6) special.addSubnet(network, prefix, 'ipv6');

/**
 * IANA, "IPv6 Global Unicast Address Assignments". Mapped and translated IPv4, link-local and unique local addresses are
 * outside.
 */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Returns whether the address is globally reachable; false for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return isIPv6(address) && global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
