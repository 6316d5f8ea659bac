import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv4, isIPv6, type Server } from 'node:net';

/** The configured response for a name. */
export type DnsResponse =
  /** TXT records of one string or several. */
  | { texts: (string | string[])[] }
  /** IPv4 and IPv6 addresses. */
  | { addresses: string[] }
  | { status: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' }
  /** A name with other record types. */
  | { status: 'NODATA' }
  | { cname: string; texts: (string | string[])[] }
  /** A CNAME record, and the addresses of its target. */
  | { cname: string; addresses: string[] }
  /** Sets the TC bit over UDP, so that the client retries over TCP. */
  | { truncated: (string | string[])[] }
  /** No response. */
  | { status: 'silence' }
  /** Bytes that are not a DNS message. */
  | { status: 'garbage' }
  /** A response with an id that differs from the query. */
  | { status: 'forged'; texts: string[] };

const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };

/** A DNS server on loopback over UDP and TCP (RFC 1035). It returns NXDOMAIN for names without a configured response. */
export class DnsServer {
  /** The name of each query, in order. */
  readonly queriedNames: string[] = [];
  readonly #responses = new Map<string, DnsResponse>();
  port = 0;
  #udp!: UdpSocket;
  #tcp!: Server;

  static async start(): Promise<DnsServer> {
    const dns = new DnsServer();
    await dns.listen();
    return dns;
  }

  async listen(): Promise<void> {
    for (;;) {
      const tcp = createServer().listen(0, '127.0.0.1');
      await once(tcp, 'listening');
      const { port } = tcp.address() as AddressInfo;
      const udp = createSocket('udp4').bind(port, '127.0.0.1');
      try {
        await once(udp, 'listening');
        this.port = port;
        return this.#answerOn(udp, tcp);
      } catch {
        // Another program has the port over UDP.
        udp.close();
        tcp.close();
      }
    }
  }

  #answerOn(udp: UdpSocket, tcp: Server): void {
    [this.#udp, this.#tcp] = [udp, tcp];
    udp.on('message', (query, { port, address }) => {
      const answer = this.#answer(query, 'udp');
      if (answer) udp.send(answer, port, address);
    });
    tcp.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        const answer = this.#answer(data.subarray(2), 'tcp');
        if (answer) socket.end(Buffer.concat([number16(answer.length), answer]));
      });
    });
  }

  /** The value for `DNS_RESOLVERS`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  setResponse(name: string, response: DnsResponse): void {
    this.#responses.set(name.toLowerCase(), response);
  }

  /** Sets the TXT records of a name. */
  publish(name: string, ...texts: string[]): void {
    this.setResponse(name, { texts });
  }

  /** Removes a name, so that queries return NXDOMAIN. */
  remove(name: string): void {
    this.#responses.delete(name.toLowerCase());
  }

  async stop(): Promise<void> {
    this.#udp.close();
    this.#tcp.close();
    await once(this.#tcp, 'close');
  }

  #answer(query: Buffer, over: 'udp' | 'tcp'): Buffer | null {
    const { name, end } = questionOf(query);
    this.queriedNames.push(name);
    const question = query.subarray(12, end);
    const configured = this.#responses.get(name.toLowerCase()) ?? { status: 'NXDOMAIN' };
    const id = query.readUInt16BE(0);
    const message = (code: number, records: Buffer[] = [], { truncated = false, forged = false } = {}) =>
      Buffer.concat([
        number16(forged ? id ^ 0xffff : id),
        number16(0x8180 | (truncated ? 0x0200 : 0) | code),
        number16(1),
        number16(records.length),
        Buffer.alloc(4),
        question,
        ...records,
      ]);
    if ('addresses' in configured) {
      const alias = 'cname' in configured ? [record(types.CNAME, encoded(configured.cname))] : [];
      const owner = 'cname' in configured ? encoded(configured.cname) : undefined;
      const addresses = addressRecords(configured.addresses, query.readUInt16BE(end - 4), owner);
      return message(codes.NOERROR, [...alias, ...addresses]);
    }
    if ('truncated' in configured)
      return over === 'udp'
        ? message(codes.NOERROR, [], { truncated: true })
        : message(codes.NOERROR, txt(configured.truncated));
    if ('cname' in configured) {
      const alias = record(types.CNAME, encoded(configured.cname));
      return message(codes.NOERROR, [alias, ...txt(configured.texts, encoded(configured.cname))]);
    }
    if (!('status' in configured)) return message(codes.NOERROR, txt(configured.texts));
    switch (configured.status) {
      case 'silence':
        return null;
      case 'garbage':
        return Buffer.from('not a message of the DNS');
      case 'forged':
        return message(codes.NOERROR, txt(configured.texts), { forged: true });
      case 'NODATA':
        return message(codes.NOERROR);
      case 'NXDOMAIN':
      case 'SERVFAIL':
      case 'REFUSED':
        return message(codes[configured.status]);
    }
  }
}

const number16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};

/** Returns the name in the question and the offset of its end. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 5 };
}

const encoded = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1')),
    Buffer.of(0),
  ]);

/** A compression pointer to the name in the question. */
const questionName: Buffer = Buffer.of(0xc0, 12);

const record = (type: number, data: Buffer, owner = questionName): Buffer =>
  Buffer.concat([owner, number16(type), number16(1), Buffer.of(0, 0, 0, 60), number16(data.length), data]);

/** Returns records for the addresses of the queried type. */
const addressRecords = (addresses: string[], type: number, owner?: Buffer): Buffer[] =>
  addresses.flatMap((address) => {
    if (type === types.A && isIPv4(address)) return [record(type, Buffer.from(address.split('.').map(Number)), owner)];
    if (type === types.AAAA && isIPv6(address)) return [record(type, ipv6Bytes(address), owner)];
    return [];
  });

function ipv6Bytes(address: string): Buffer {
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return Buffer.concat(groups.map((group) => number16(parseInt(group, 16))));
}

const txt = (texts: (string | string[])[], owner?: Buffer): Buffer[] =>
  texts.map((text) => {
    const strings = [text].flat().map((part) => Buffer.from(part));
    const data = strings.flatMap((string) => [Buffer.of(string.length), string]);
    return record(types.TXT, Buffer.concat(data), owner);
  });
