import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds between two looks. */
const interval = 10;

/** Bytes a millisecond: 16 MB/s. */
const pace = 16_000;

/** Milliseconds that a client has to send the rest. */
const patience = 5000;

/**
 * Node reads the rest of a body whose request is answered already, as fast as it comes, and one client that sends on and on
 * takes most of a core. To cut it off at once would spare that, but many clients look at the answer only when they have sent
 * all. So the rest is read at a pace that nobody else notices, and after five seconds the connection is cut.
 */
export function paceUnwantedBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  response.once('finish', () => {
    if (request.complete) return;
    const startedAt = performance.now();
    const readBefore = socket.bytesRead;
    const look = setInterval(() => {
      const elapsed = performance.now() - startedAt;
      if (request.complete || socket.destroyed) {
        clearInterval(look);
        socket.resume();
      } else if (elapsed > patience) socket.destroy();
      else if (socket.bytesRead - readBefore > elapsed * pace) socket.pause();
      else {
        socket.resume();
        setImmediate(() => request.complete || socket.pause());
      }
    }, interval);
  });
}
