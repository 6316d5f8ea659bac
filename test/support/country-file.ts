/** Writes a file in MaxMind's DB format (version 2.0) with records of 24 bits, so that tests need no file of others. */
export function countryFile(networks: Record<string, object>, ipVersion: 4 | 6 = 6): Buffer {
  const data = new Map(Object.entries(networks).map(([network, record]) => [network, encode(record)]));
  type Node = [Node | string | null, Node | string | null];
  const root: Node = [null, null];
  for (const network of data.keys()) {
    const bits = bitsOf(network, ipVersion);
    let node = root;
    for (const bit of bits.slice(0, -1)) node = (node[bit] ??= [null, null]) as Node;
    node[bits.at(-1)!] = network;
  }
  const nodes: Node[] = [];
  const number = new Map<Node, number>();
  const visit = (node: Node): void => {
    number.set(node, nodes.push(node) - 1);
    for (const child of node) if (Array.isArray(child)) visit(child);
  };
  visit(root);
  const offsets = new Map<string, number>();
  let size = 0;
  for (const [network, bytes] of data) {
    offsets.set(network, size);
    size += bytes.length;
  }
  const pointerOf = (child: Node[0]): number => {
    if (child === null) return nodes.length;
    return typeof child === 'string' ? nodes.length + 16 + offsets.get(child)! : number.get(child)!;
  };
  const tree = Buffer.alloc(6 * nodes.length);
  nodes.flat().forEach((child, at) => tree.writeUIntBE(pointerOf(child), 3 * at, 3));
  const metadata = encode({
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, record_size: 24, build_epoch: 0 },
    ...{ database_type: 'Country', ip_version: ipVersion, node_count: nodes.length },
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), ...data.values(), marker, metadata]);
}

/** Encodes texts, whole numbers below 2^32, and maps of these. */
function encode(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.of((2 << 5) | value.length), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([Buffer.of((6 << 5) | 4), bytes]);
  }
  const entries = Object.entries(value as object);
  return Buffer.concat([Buffer.of((7 << 5) | entries.length), ...entries.flatMap((entry) => entry.map(encode))]);
}

/** Returns the bits of `192.0.2.0/24` or `2001:db8::/32`. IPv4 addresses lie below `::/96`. */
function bitsOf(network: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address = '', length] = network.split('/');
  const isOld = address.includes('.');
  const groups = isOld
    ? address.split('.').map(Number)
    : address
        .split('::')[0]!
        .split(':')
        .map((group) => parseInt(group, 16));
  const width = isOld ? 8 : 16;
  const bits = groups
    .map((group) => group.toString(2).padStart(width, '0'))
    .join('')
    .padEnd(Number(length), '0');
  const prefix = isOld && ipVersion === 6 ? '0'.repeat(96) : '';
  return [...prefix, ...bits.slice(0, Number(length))].map((bit) => (bit === '1' ? 1 : 0));
}
