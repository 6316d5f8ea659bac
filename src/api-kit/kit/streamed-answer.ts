import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { inTimeOfRequest } from './long-requests';

/** The headers of server-sent events. Proxies such as nginx would keep events back. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store',
  'X-Accel-Buffering': 'no',
};

declare global {
  namespace Express {
    interface Request {
      /** Time at which a response began that is as long as its client takes to read it. */
      streamedFrom?: number;
      /** Returns whether the credential of the request is accepted now; absent for one that cannot be revoked. */
      isStillAccepted?: () => Promise<boolean>;
    }
  }
}

/** A revoked key ends its responses after so long. Tests lower it. */
export const streamLimits = { recheckIntervalMs: 5000 };

/**
 * Sends texts while they are read. The next one is read once the client has taken the one before, so that memory stays flat. Nothing
 * is read for a client that has gone; a reader that finds little passes empty texts, so that this is noticed. A fault of the first
 * text gets the body of an error. A later fault closes the connection, so that the client notices the missing rest.
 * @param headers of a response that begins
 */
export async function streamText(
  response: Response,
  texts: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<void> {
  const rechecks = setInterval(() => void endIfRevoked(response), streamLimits.recheckIntervalMs).unref();
  try {
    await send(response, texts, headers);
  } finally {
    clearInterval(rechecks);
  }
}

async function send(response: Response, texts: AsyncGenerator<string>, headers: Record<string, string>): Promise<void> {
  let first = await texts.next();
  while (first.value === '' && !response.destroyed) first = await texts.next();
  if (response.destroyed) return void (await texts.return(undefined));
  const { req: request } = response;
  response.set(headers);
  request.streamedFrom = performance.now();
  if (request.method === 'HEAD') {
    await texts.return(undefined);
    return void response.end();
  }
  // Without it, an empty answer would have `Content-Length: 0`, which clients take for no file.
  response.flushHeaders();
  try {
    await pipeline(from(first, texts, response), response);
  } catch (error) {
    // The client has gone, which is no fault.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/**
 * Closes the connection of a revoked key. A look-up that fails says nothing about the key. It has its own time, because the request
 * has none left. Without time it would also fail the look-ups of others, which are in the same batch.
 */
async function endIfRevoked(response: Response): Promise<void> {
  const { req: request } = response;
  const isAccepted = await inTimeOfRequest(async () => request.isStillAccepted?.()).catch(() => true);
  if (isAccepted === false) response.destroy();
}

async function* from(
  first: IteratorResult<string, unknown>,
  rest: AsyncGenerator<string>,
  response: Response,
): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  for await (const text of rest) {
    // `pipeline` notices it at the next text only.
    if (response.destroyed) return;
    if (text !== '') yield text;
  }
}
