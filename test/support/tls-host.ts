import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export interface Certificate {
  key: string;
  cert: string;
}

/** Creates a self-signed certificate for host names, which may be wildcards. */
export async function aCertificate(names: string[], validDays = 90): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + validDays * 86_400_000),
    extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }],
  });
  return { key, cert };
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
    const server = createServer(certificate).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TlsHost(server, (server.address() as AddressInfo).port);
  }

  present(certificate: Certificate): void {
    this.server.setSecureContext(certificate);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
