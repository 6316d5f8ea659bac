import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type Fault = 'answer' | 'request' | 'none';

/** Forwards TCP connections, and cuts them in the middle of an exchange. */
export class CuttingProxy {
  #fault: Fault = 'none';
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async before(port: number): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server);
    server.on('connection', (client: Socket) => proxy.#forward(client, connect(port, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Cuts connections when an answer begins, or in the middle of a request, or not at all. */
  cut(fault: Fault): void {
    this.#fault = fault;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  #forward(client: Socket, server: Socket): void {
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
      socket.on('error', end);
    }
    client.on('data', (data) => {
      if (this.#fault !== 'request') return void server.write(data);
      server.write(data.subarray(0, data.length / 2));
      end();
    });
    server.on('data', (data) => {
      if (this.#fault === 'answer') end();
      else client.write(data);
    });
  }
}
