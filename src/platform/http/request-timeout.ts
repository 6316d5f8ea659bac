import type { IncomingMessage, Server } from 'node:http';
import { serverLimits } from './server-limits';

/** The longest upload of a file, in milliseconds. Node refuses longer ones. */
export const maxUploadMs = 1_800_000;

const uploads = new WeakSet<IncomingMessage>();

/** Gives the rest of the body half an hour, as long as its client sends something each half minute. */
export function allowLongUpload(request: IncomingMessage): void {
  uploads.add(request);
}

interface Arrival {
  /** When it began, or an upload went on. */
  since: number;
  bytesRead: number;
}

/**
 * Limits the time in which requests arrive. Node has one limit for all requests of a server, and uploads of files take longer. The
 * refusal is emitted like Node's, so that all are answered and logged in one place (`EarlyRefusals`).
 */
export class RequestTimeouts {
  readonly #arriving = new Map<IncomingMessage, Arrival>();

  constructor(private readonly server: Server) {
    const timer = setInterval(() => this.#check(), serverLimits.connectionsCheckingInterval).unref();
    server.once('close', () => clearInterval(timer));
  }

  watch(request: IncomingMessage): void {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (length === undefined && coding === undefined) return;
    this.#arriving.set(request, { since: performance.now(), bytesRead: request.socket.bytesRead });
  }

  #check(): void {
    const now = performance.now();
    for (const [request, arrival] of this.#arriving) {
      if (request.complete || request.destroyed) this.#arriving.delete(request);
      else if (uploads.has(request) && goesOn(request, arrival)) arrival.since = now;
      else if (now - arrival.since > serverLimits.requestTimeout) {
        this.#arriving.delete(request);
        const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        this.server.emit('clientError', error, request.socket);
      }
    }
  }
}

/** Returns whether the client has sent something, or the service has not read what it sent. */
function goesOn(request: IncomingMessage, arrival: Arrival): boolean {
  const { bytesRead } = request.socket;
  const hasSent = bytesRead > arrival.bytesRead;
  arrival.bytesRead = bytesRead;
  return hasSent || request.readableLength > 0;
}
