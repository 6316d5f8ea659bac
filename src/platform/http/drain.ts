import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Node's own note of what a connection is being answered; it has no public one. */
type Serving = Socket & { _httpMessage?: ServerResponse | null };

/** Milliseconds between two looks at which connections have nothing more to do. */
const pollIntervalMs = 50;

/**
 * Closes a server without cutting an answer off, and without waiting for those who ask nothing: first `begin`, and when new
 * connections are not to be expected any more, `close`.
 */
export class Drain {
  readonly #connections = new Set<Socket>();

  /** Must see the server before its first connection. */
  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /**
   * From here on every answer tells its connection to close, those to requests in flight too. Who asks on another connection
   * then finds another process, if there is one. Nothing of it is on the way of a request before.
   */
  begin(): void {
    for (const { _httpMessage: response } of this.#connections as Set<Serving>)
      if (response) response.shouldKeepAlive = false;
    this.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
  }

  /**
   * Accepts nothing new at once, and returns when what was asked before is answered, or after `patience` milliseconds, when
   * the rest is cut off.
   */
  async close(timeoutMs: number): Promise<void> {
    let closed = false;
    this.server.close(() => (closed = true));
    const giveUpAt = performance.now() + timeoutMs;
    await sleep(pollIntervalMs); // for requests that have arrived and were not read yet
    while (!closed) {
      this.server.closeIdleConnections();
      // Node takes a connection that has not sent a byte for one that is in the middle of a request.
      for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
      if (performance.now() > giveUpAt) this.server.closeAllConnections();
      await sleep(pollIntervalMs);
    }
  }
}
