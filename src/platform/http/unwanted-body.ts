import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** Bytes (docs/contract.md, “Limits”). */
export const bodyLimit = 100_000;

/** Bytes that are read at a time, and milliseconds between two such times: up to 8 MB/s, and less where there is much to do. */
const helping = 80_000;
const intervalMs = 10;

/** Milliseconds that a client has to send the rest. */
const drainTimeoutMs = 5000;

/**
 * Node reads the rest of a body whose request is answered already as fast as it comes, and one client that sends on and on
 * takes most of a core. To cut it off at once would spare that, but many clients look at the answer only when they have sent
 * all. So the rest is read at a pace that nobody else notices, and after five seconds the connection is cut.
 */
export function paceUnwantedBody(request: IncomingMessage, response: ServerResponse): void {
  if (!mayBeTooLarge(request.headers)) return;
  request.read(0); // else Node would throw the body away itself, as fast as it can
  response.once('finish', () => {
    if (request.complete) return;
    const giveUpAt = performance.now() + drainTimeoutMs;
    let left = helping;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) request.pause();
    });
    const timer = setInterval(() => {
      if (request.complete || request.destroyed) clearInterval(timer);
      else if (performance.now() > giveUpAt) request.destroy();
      else {
        left = helping;
        request.resume();
      }
    }, intervalMs);
  });
}

const mayBeTooLarge = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyLimit;
