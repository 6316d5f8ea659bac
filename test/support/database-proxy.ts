import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a service and its database that simulates network faults. */
export class DatabaseProxy {
  readonly #connections = new Set<{ name: string; near: Socket; far: Socket }>();
  readonly #blocked = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /**
   * Starts a proxy.
   * @param databaseUrl of a server on a Unix socket or TCP
   */
  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer();
    const proxy = new DatabaseProxy(server, new URL(databaseUrl));
    server.on('connection', (near) => proxy.#connected(near));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** The URL of the database through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Drops all data of present and new connections with that application name, without closing them. */
  blackhole(applicationName: string): void {
    this.#blocked.add(applicationName);
    for (const { name, near, far } of this.#connections) if (name === applicationName) mute(near, far);
  }

  /** Closes the connections with that application name. */
  cut(applicationName: string): void {
    for (const { name, near } of this.#connections) if (name === applicationName) near.destroy();
  }

  /** Closes the connections in the black hole. New connections work again. */
  heal(): void {
    for (const { name, near } of this.#connections) if (this.#blocked.has(name)) near.destroy();
    this.#blocked.clear();
  }

  async close(): Promise<void> {
    this.server.close();
    for (const { near } of this.#connections) near.destroy();
    await once(this.server, 'close');
  }

  #connected(near: Socket): void {
    near.on('error', () => {});
    near.once('data', (startup: Buffer) => {
      near.pause();
      const name = /application_name\0([^\0]*)/.exec(startup.toString('latin1'))?.[1] ?? '';
      if (this.#blocked.has(name)) return void near.resume().on('data', () => {});
      const far = this.#dial();
      const connection = { name, near, far };
      this.#connections.add(connection);
      far.on('error', () => near.destroy());
      near.on('close', () => {
        this.#connections.delete(connection);
        far.destroy();
      });
      far.write(startup);
      near.pipe(far);
      far.pipe(near);
    });
  }

  #dial(): Socket {
    const directory = this.target.searchParams.get('host');
    const port = this.target.port || '5432';
    return directory ? connect(`${directory}/.s.PGSQL.${port}`) : connect(Number(port), this.target.hostname);
  }
}

function mute(near: Socket, far: Socket): void {
  near.unpipe(far);
  far.unpipe(near);
  near.on('data', () => {});
  far.on('data', () => {});
}
