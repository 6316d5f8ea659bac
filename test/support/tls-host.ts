import { generateKeyPair, randomBytes, sign } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { endServer, listenOnLoopback } from './loopback';

export interface Certificate {
  key: string;
  cert: string;
}

/** Encodes a value of ASN.1 by the Distinguished Encoding Rules. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
};

const dayMs = 86_400_000;
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const testName = sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from('test')))));

/** Creates a self-signed certificate (RFC 5280) for host names, which may be wildcards. */
export async function aCertificate(names: string[], validDays = 90): Promise<Certificate> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const notAfter = Date.now() + validDays * dayMs;
  const alternativeNames = sequence(...names.map((name) => der(0x82, Buffer.from(name))));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    testName,
    sequence(time(Math.min(Date.now(), notAfter) - dayMs), time(notAfter)),
    testName,
    publicKey,
    der(0xa3, sequence(sequence(identifier('551d11'), der(0x04, alternativeNames)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const base64 = sequence(signed, ecdsaWithSha256, signature).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey, cert };
}

/** An HTTPS server on loopback with configurable responses. */
export class TlsHost {
  /** `Host` and path of every request. */
  readonly asked: string[] = [];
  answer: RequestListener = (_, response) => void response.writeHead(404).end();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {
    server.on('request', (request, response) => {
      this.asked.push(`${request.headers.host}${request.url}`);
      this.answer(request, response);
    });
    server.on('tlsClientError', () => {});
  }

  static async start(certificate: Certificate): Promise<TlsHost> {
    const server = createServer(certificate);
    return new TlsHost(server, await listenOnLoopback(server));
  }

  present(certificate: Certificate): void {
    this.server.setSecureContext(certificate);
  }

  stop(): Promise<void> {
    return endServer(this.server);
  }
}
