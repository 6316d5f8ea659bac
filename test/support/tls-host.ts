import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Certificate {
  key: string;
  cert: string;
}

/** Signed by itself, for these host names (a wildcard too), and valid for so many days. */
export function aCertificate(names: string[], days = 90): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`];
    const files = ['-keyout', key, '-out', cert, '-days', String(days)];
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...files], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A server of HTTPS on loopback, which answers what it is told to. */
export class TlsHost {
  /** Of every request, `Host` and path. */
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
