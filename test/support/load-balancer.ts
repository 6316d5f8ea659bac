import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { ask } from './ask';
import { until } from './eventually';
import { listenOnLoopback } from './loopback';
import type { Program } from './process';

/** The interval of readiness probes. */
const probeIntervalMs = 100;

interface Endpoint {
  replica: Program;
  ready: boolean;
  probe: NodeJS.Timeout;
}

/**
 * A load balancer for connections, as a Kubernetes Service is. It sends new connections in turn to the replicas whose
 * `/health/ready` returns 200. An open connection stays with its replica. Without a ready replica, it resets a connection.
 */
export class LoadBalancer {
  readonly #endpoints = new Map<Program, Endpoint>();
  readonly #sockets = new Set<Socket>();
  #turn = 0;
  port = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (near) => this.#connected(near));
  }

  /** Starts a load balancer and waits until all replicas are ready. */
  static async before(...replicas: Program[]): Promise<LoadBalancer> {
    const server = createServer({ allowHalfOpen: true });
    const balancer = new LoadBalancer(server);
    balancer.port = await listenOnLoopback(server);
    await Promise.all(replicas.map((replica) => balancer.add(replica)));
    return balancer;
  }

  /** Adds a replica and waits until it is ready. */
  async add(replica: Program): Promise<void> {
    const endpoint = { replica, ready: false } as Endpoint;
    const probe = async (): Promise<void> => {
      endpoint.ready = (await ask(replica.port, { path: '/health/ready' })).status === 200;
      if (this.#endpoints.has(replica)) endpoint.probe = setTimeout(() => void probe(), probeIntervalMs);
    };
    this.#endpoints.set(replica, endpoint);
    await probe();
    await until(() => endpoint.ready);
  }

  /** Stops new connections to the replica and keeps the open ones, as during the deletion of a pod. */
  remove(replica: Program): void {
    clearTimeout(this.#endpoints.get(replica)?.probe);
    this.#endpoints.delete(replica);
  }

  isReady(replica: Program): boolean {
    return this.#endpoints.get(replica)?.ready === true;
  }

  async close(): Promise<void> {
    for (const replica of [...this.#endpoints.keys()]) this.remove(replica);
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.server.listening) await once(this.server, 'close');
  }

  #connected(near: Socket): void {
    this.#track(near);
    const ready = [...this.#endpoints.values()].filter((endpoint) => endpoint.ready);
    if (ready.length === 0) return void near.resetAndDestroy();
    const { port } = ready[this.#turn++ % ready.length]!.replica;
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.#track(far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setNoDelay(true);
      one.pipe(other);
      // A pipe passes on only the regular end of a connection, not a reset.
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => other.destroySoon());
    }
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
