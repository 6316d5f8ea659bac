import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Serving = Socket & { _httpMessage?: ServerResponse | null };

const pollIntervalMs = 50;

const ending = new WeakSet<ServerResponse>();

/** Returns whether the process of a response is stopping, so that a long response must come to its end. */
export const isEnding = (response: ServerResponse): boolean => ending.has(response);

/**
 * Closes a server without cutting responses off and without waiting for idle connections. Call `begin` first, and `close` once
 * no new connections are expected.
 */
export class Drain {
  readonly #connections = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /**
   * Makes every response close its connection, those in flight too, so that clients reconnect to another process. Before this
   * call it adds no work to a request.
   */
  begin(): void {
    const end = (response: ServerResponse): void => {
      response.shouldKeepAlive = false;
      ending.add(response);
    };
    for (const { _httpMessage: response } of this.#connections as Set<Serving>) if (response) end(response);
    this.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => end(response));
  }

  /** Refuses new connections and waits for the requests in flight. After `timeoutMs` the rest is cut off. */
  async close(timeoutMs: number): Promise<void> {
    let closed = false;
    this.server.close(() => (closed = true));
    const giveUpAt = performance.now() + timeoutMs;
    await sleep(pollIntervalMs); // for requests that have arrived but were not read yet
    while (!closed) {
      this.server.closeIdleConnections();
      // Node treats a connection that has not sent a byte as one in the middle of a request, and forgets that of a CONNECT.
      const isOver = performance.now() > giveUpAt;
      for (const socket of this.#connections) if (isOver || socket.bytesRead === 0) socket.destroy();
      await sleep(pollIntervalMs);
    }
  }
}
