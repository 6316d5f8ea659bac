import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** `GET /metrics` on a port of its own, which no visitor can reach. */
export class MetricsServer {
  private constructor(private readonly server: Server) {}

  static async listen(registry: Registry, port: number, host: string | undefined): Promise<MetricsServer> {
    const server = createServer((request, response) => {
      if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
      registry.metrics().then(
        (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    server.listen(port, host);
    await once(server, 'listening');
    return new MetricsServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
