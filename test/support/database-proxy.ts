import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback';

/** A proxy between a service and its database that simulates network faults. */
export class DatabaseProxy {
  readonly #connections = new Set<{ name: string; near: Socket; far: Socket }>();
  readonly #blocked = new Set<string>();
  #isCut = false;
  #port = 0;
  /** Delays all data of new connections, in each direction. */
  delayMs = 0;

  private constructor(
    private readonly server: Server,
    private target: URL,
  ) {}

  /**
   * Starts a proxy.
   * @param databaseUrl of a server on a Unix socket or TCP
   */
  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer();
    const proxy = new DatabaseProxy(server, new URL(databaseUrl));
    server.on('connection', (near) => proxy.#connected(near));
    proxy.#port = await listenOnLoopback(server);
    return proxy;
  }

  /** The URL of the database through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.href;
  }

  /** Leads new connections to another server, and closes those to the former one. */
  leadTo(databaseUrl: string): void {
    this.leadNewConnectionsTo(databaseUrl);
    for (const { near } of [...this.#connections]) near.destroy();
  }

  /** Leads new connections to another server, and keeps those to the former one. */
  leadNewConnectionsTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
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

  /** Closes the connections in the black hole, those that opened in it too. New connections work again. */
  heal(): void {
    for (const { name, near } of this.#connections) if (this.#blocked.has(name)) near.destroy();
    this.#blocked.clear();
  }

  /** Drops all data of present and new connections until `restore`, without closing them, as a broken network does. */
  cutNetwork(): void {
    this.#isCut = true;
    this.forgetConnections();
  }

  /** Drops all data of present connections, without closing them, as a firewall does that has forgotten them. New ones work. */
  forgetConnections(): void {
    for (const { near, far } of this.#connections) mute(near, far);
  }

  /** Closes the connections that lost data. New connections work again. */
  restoreNetwork(): void {
    this.#isCut = false;
    for (const { near } of [...this.#connections]) near.destroy();
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
      if (this.#blocked.has(name) || this.#isCut) return void this.#hold(name, near);
      const far = this.#dial();
      const connection = { name, near, far };
      this.#connections.add(connection);
      far.on('error', () => near.destroy());
      near.on('close', () => {
        this.#connections.delete(connection);
        far.destroy();
      });
      far.write(startup);
      if (this.delayMs === 0) {
        near.pipe(far);
        far.pipe(near);
      } else {
        passLater(near, far, this.delayMs);
        passLater(far, near, this.delayMs);
        near.resume();
      }
    });
  }

  /** Keeps a connection whose data are dropped, so that `heal` or `restoreNetwork` closes it. */
  #hold(name: string, near: Socket): void {
    const connection = { name, near, far: near };
    this.#connections.add(connection);
    near.on('close', () => this.#connections.delete(connection));
    near.resume().on('data', () => {});
  }

  #dial(): Socket {
    const directory = this.target.searchParams.get('host');
    const port = this.target.port || '5432';
    return directory ? connect(`${directory}/.s.PGSQL.${port}`) : connect(Number(port), this.target.hostname);
  }
}

/** Passes data on in order, after a delay. */
function passLater(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (data) => setTimeout(() => to.writable && to.write(data), delayMs));
  from.on('end', () => setTimeout(() => to.end(), delayMs));
}

function mute(near: Socket, far: Socket): void {
  near.unpipe(far);
  far.unpipe(near);
  near.removeAllListeners('data');
  far.removeAllListeners('data');
  near.on('data', () => {});
  far.on('data', () => {});
}
