import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** Serves `GET /metrics` on a separate port, so that visitors cannot reach it. */
export class MetricsServer {
  readonly #server: Server;

  constructor(registry: Registry) {
    this.#server = createServer((request, response) => {
      if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
      registry.metrics().then(
        (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
  }

  async listen(port: number, host: string | undefined): Promise<void> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
