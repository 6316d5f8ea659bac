import { BlockList, isIP } from 'node:net';
import { listOf, refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';

const networkText = text({ min: 2, max: 49, pattern: /^[0-9A-Fa-f:.]+(?:\/[0-9]{1,3})?$/ });

const bitsOf = { 0: 0, 4: 32, 6: 128 } as Record<number, number>;

/** Reads an address or a network in CIDR notation (RFC 4632, section 3.1; RFC 4291, section 2.3). */
const network = new Rule<string>(networkText.schema, (value) => {
  const sent = networkText.tryParse(value);
  const [address = '', prefix] = sent?.split('/') ?? [];
  const bits = bitsOf[isIP(address)]!;
  if (bits === 0 || Number(prefix ?? bits) > bits)
    return refused('invalid_format', 'must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32');
  return { value: sent!.toLowerCase() };
});

export const allowedNetworks = listOf(network, { minItems: 1, maxItems: 20 });

/** @param networks entries of `allowedNetworks` */
export function networksOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of networks) {
    const [address, prefix] = one.split('/') as [string, string?];
    const isOld = isIP(address) === 4;
    list.addSubnet(address, Number(prefix ?? (isOld ? 32 : 128)), isOld ? 'ipv4' : 'ipv6');
  }
  return list;
}
