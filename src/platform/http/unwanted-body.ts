import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** Bytes (docs/contract-resources.md, “Limits”). */
export const maxBodyBytes = 100_000;

/** 80 kB per 10 ms: up to 8 MB/s, and less on a busy process. */
const bytesPerInterval = 80_000;
const intervalMs = 10;

const drainTimeoutMs = 5000;

/**
 * Reads the rest of a body slowly once its request is answered, and cuts the connection after five seconds. Node would read at
 * full speed, so that one client takes most of a core. Cutting at once would hide the response from clients that send first.
 */
export function paceUnwantedBody(request: IncomingMessage, response: ServerResponse): void {
  if (!mayBeTooLarge(request.headers)) return;
  request.read(0); // prevents Node from discarding the body at full speed
  response.once('finish', () => {
    if (request.complete) return;
    const giveUpAt = performance.now() + drainTimeoutMs;
    let left = bytesPerInterval;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) request.pause();
    });
    const timer = setInterval(() => {
      if (request.complete || request.destroyed) clearInterval(timer);
      else if (performance.now() > giveUpAt) request.destroy();
      else {
        left = bytesPerInterval;
        request.resume();
      }
    }, intervalMs);
  });
}

const mayBeTooLarge = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxBodyBytes;
