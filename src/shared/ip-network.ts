import { refused, Rule } from './rule';
import { text } from './text';

/** A network of IPv4 or IPv6 addresses. Pure, because rules of links are compared without `node:net`. */
export interface IpNetwork {
  /** Groups of 16 bits: two of IPv4, eight of IPv6. */
  groups: readonly number[];
  /** Length of the prefix in bits. */
  prefix: number;
}

const networkText = text({ min: 2, max: 49, pattern: /^[0-9A-Fa-f:.]+(?:\/[0-9]{1,3})?$/ });

/** Reads an address or a network in CIDR notation (RFC 4632, section 3.1; RFC 4291, section 2.3), and writes it in lower case. */
export const ipNetwork = new Rule<string>(networkText.schema, (value) => {
  const sent = networkText.tryParse(value);
  return sent !== null && networkOf(sent) !== null
    ? { value: sent.toLowerCase() }
    : refused('invalid_format', 'must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32');
});

/** Returns null for a text that is not a network. */
export function networkOf(text: string): IpNetwork | null {
  const [address = '', length] = text.split('/');
  const groups = addressGroups(address);
  if (groups === null) return null;
  const bits = 16 * groups.length;
  const prefix = Number(length ?? bits);
  return prefix <= bits ? { groups, prefix } : null;
}

/** Returns the groups of 16 bits of an address (RFC 4291, section 2.2); null for another text. */
export function addressGroups(address: string): readonly number[] | null {
  if (!address.includes(':')) return ipv4Groups(address);
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [left, right] = halves.map(ipv6Groups) as [number[] | null, number[] | null | undefined];
  if (left === null || right === null) return null;
  if (right === undefined) return left.length === 8 ? left : null;
  const missing = 8 - left.length - right.length;
  return missing < 1 ? null : [...left, ...Array.from({ length: missing }, () => 0), ...right];
}

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const ipv4Address = new RegExp(`^${octet}(?:\\.${octet}){3}$`);

function ipv4Groups(address: string): number[] | null {
  if (!ipv4Address.test(address)) return null;
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  return [256 * a + b, 256 * c + d];
}

/** Reads the groups of one side of `::`. The last one may be an IPv4 address. */
function ipv6Groups(half: string): number[] | null {
  if (half === '') return [];
  const parts = half.split(':');
  const last = parts.at(-1)!.includes('.') ? ipv4Groups(parts.pop()!) : [];
  if (last === null || parts.some((part) => !/^[0-9A-Fa-f]{1,4}$/.test(part))) return null;
  return [...parts.map((part) => Number.parseInt(part, 16)), ...last];
}

/** Returns whether the network has the address. */
export function containsAddress({ groups, prefix }: IpNetwork, address: readonly number[]): boolean {
  if (groups.length !== address.length) return false;
  const whole = prefix >> 4;
  for (let at = 0; at < whole; at++) if (groups[at] !== address[at]) return false;
  const rest = prefix & 15;
  return rest === 0 || (groups[whole]! ^ address[whole]!) >> (16 - rest) === 0;
}
