import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { responseLimits } from './server-limits';

/**
 * Limits the bytes that wait for clients, and resets connections whose clients do not read. It watches the server's sockets, so
 * that it covers every route.
 */
export class UnreadResponses {
  /** Bytes that wait in full sockets, and connections that were reset because of them or because nothing was read. */
  readonly counts = { bytes: 0, cut: 0, stalled: 0 };
  readonly #connections = new Set<Socket>();
  /** The bytes of each socket above its high-water mark. The first socket has waited the longest. */
  readonly #unread = new Map<Socket, number>();

  constructor(server: Server) {
    const write = this.#observedWrite();
    server.on('connection', (socket: Socket) => {
      socket.write = write;
      this.#connections.add(socket);
      socket.once('close', () => {
        this.#connections.delete(socket);
        this.#forget(socket);
      });
    });
    // Node destroys the socket itself only if nothing listens.
    server.on('timeout', (socket: Socket) => {
      if (socket.writableLength === 0) return void socket.destroy();
      this.counts.stalled++;
      this.#reset(socket);
    });
    const timer = setInterval(() => this.#limitStalls(), responseLimits.stallCheckIntervalMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Returns a `write` that reports a full socket, because no event does. */
  #observedWrite(): Socket['write'] {
    const noteUnread = (socket: Socket) => this.#noteUnread(socket);
    return function (this: Socket, chunk: string, encoding?: BufferEncoding, callback?: () => void): boolean {
      const hasRoom = Socket.prototype.write.call(this, chunk, encoding, callback);
      if (!hasRoom) noteUnread(this);
      return hasRoom;
    } as Socket['write'];
  }

  #noteUnread(socket: Socket): void {
    if (socket.destroyed) return;
    if (!this.#unread.has(socket)) this.#forgetWhenDrained(socket);
    this.#update(socket);
    if (this.counts.bytes <= responseLimits.maxUnreadBytes) return;
    // A response that exceeds the limit alone is no fault of the others.
    if (socket.writableLength > responseLimits.maxUnreadBytes) return this.#cut(socket);
    for (const one of this.#unread.keys()) this.#update(one);
    for (const first of this.#unread.keys()) {
      if (this.counts.bytes <= responseLimits.maxUnreadBytes) return;
      this.#cut(first);
    }
  }

  #cut(socket: Socket): void {
    this.counts.cut++;
    this.#reset(socket);
  }

  #forgetWhenDrained(socket: Socket): void {
    socket.once('drain', () => {
      // A stream that is piped into the response has written more.
      if (socket.writableNeedDrain) this.#forgetWhenDrained(socket);
      else this.#forget(socket);
    });
  }

  #update(socket: Socket): void {
    this.counts.bytes += socket.writableLength - (this.#unread.get(socket) ?? 0);
    this.#unread.set(socket, socket.writableLength);
  }

  #forget(socket: Socket): void {
    this.counts.bytes -= this.#unread.get(socket) ?? 0;
    this.#unread.delete(socket);
  }

  /** Frees the kernel's buffer too, which would otherwise wait for the client. */
  #reset(socket: Socket): void {
    this.#forget(socket);
    socket.resetAndDestroy();
  }

  /**
   * Gives sockets with unread bytes a timeout, and takes it away once they are read. Node restarts the timeout whenever the
   * kernel has taken bytes.
   */
  #limitStalls(): void {
    const { stallTimeoutMs } = responseLimits;
    for (const socket of this.#connections) {
      const isLimited = socket.timeout === stallTimeoutMs;
      if (socket.writableLength > 0 !== isLimited) socket.setTimeout(isLimited ? 0 : stallTimeoutMs);
    }
  }
}
