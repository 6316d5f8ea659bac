import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv4, isIPv6, type Server } from 'node:net';

/** What the server has to say of a name. */
export type Saying =
  /** TXT records, each of one string or several. */
  | { texts: (string | string[])[] }
  /** IPv4 and IPv6 addresses. */
  | { addresses: string[] }
  | { status: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' }
  /** A name that has other records. */
  | { status: 'NODATA' }
  | { cname: string; texts: (string | string[])[] }
  /** Says by UDP only that the answer is too long for it. */
  | { truncated: (string | string[])[] }
  /** Never answers. */
  | { status: 'silence' }
  /** Answers with bytes that are no message. */
  | { status: 'garbage' }
  /** Answers, but not to the question: with an id that nobody asked with. */
  | { status: 'forged'; texts: string[] };

const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };

/** A DNS server on loopback, by UDP and TCP (RFC 1035), that says of every name what it is told to, and of others NXDOMAIN. */
export class DnsServer {
  /** Names that were asked for, in the order of the questions. */
  readonly asked: string[] = [];
  readonly #sayings = new Map<string, Saying>();

  private constructor(
    private readonly udp: UdpSocket,
    private readonly tcp: Server,
    readonly port: number,
  ) {
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

  static async start(): Promise<DnsServer> {
    const tcp = createServer().listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4').bind(port, '127.0.0.1');
    await once(udp, 'listening');
    return new DnsServer(udp, tcp, port);
  }

  /** As `DNS_RESOLVERS` takes it. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  say(name: string, saying: Saying): void {
    this.#sayings.set(name.toLowerCase(), saying);
  }

  /** The name has these TXT records. */
  publish(name: string, ...texts: string[]): void {
    this.say(name, { texts });
  }

  /** There is no such name. */
  forget(name: string): void {
    this.#sayings.delete(name.toLowerCase());
  }

  async stop(): Promise<void> {
    this.udp.close();
    this.tcp.close();
    await once(this.tcp, 'close');
  }

  #answer(query: Buffer, over: 'udp' | 'tcp'): Buffer | null {
    const { name, end } = questionOf(query);
    this.asked.push(name);
    const question = query.subarray(12, end);
    const saying = this.#sayings.get(name.toLowerCase()) ?? { status: 'NXDOMAIN' };
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
    if ('addresses' in saying)
      return message(codes.NOERROR, addressRecords(saying.addresses, query.readUInt16BE(end - 4)));
    if ('truncated' in saying)
      return over === 'udp'
        ? message(codes.NOERROR, [], { truncated: true })
        : message(codes.NOERROR, txt(saying.truncated));
    if ('cname' in saying) {
      const alias = record(types.CNAME, encoded(saying.cname));
      return message(codes.NOERROR, [alias, ...txt(saying.texts, encoded(saying.cname))]);
    }
    if (!('status' in saying)) return message(codes.NOERROR, txt(saying.texts));
    switch (saying.status) {
      case 'silence':
        return null;
      case 'garbage':
        return Buffer.from('not a message of the DNS');
      case 'forged':
        return message(codes.NOERROR, txt(saying.texts), { forged: true });
      case 'NODATA':
        return message(codes.NOERROR);
      case 'NXDOMAIN':
      case 'SERVFAIL':
      case 'REFUSED':
        return message(codes[saying.status]);
    }
  }
}

const number16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};

/** The name in the question, and where the question ends. */
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

/** A pointer to the name in the question. */
const asAsked: Buffer = Buffer.of(0xc0, 12);

const record = (type: number, data: Buffer, owner = asAsked): Buffer =>
  Buffer.concat([owner, number16(type), number16(1), Buffer.of(0, 0, 0, 60), number16(data.length), data]);

/** Those of the type that was asked for. */
const addressRecords = (addresses: string[], type: number): Buffer[] =>
  addresses.flatMap((address) => {
    if (type === types.A && isIPv4(address)) return [record(type, Buffer.from(address.split('.').map(Number)))];
    if (type === types.AAAA && isIPv6(address)) return [record(type, bytesOf6(address))];
    return [];
  });

function bytesOf6(address: string): Buffer {
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
