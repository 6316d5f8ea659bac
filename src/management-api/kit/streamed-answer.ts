import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

declare global {
  namespace Express {
    interface Request {
      /** Time at which a response began that is as long as its client takes to read it. */
      streamedFrom?: number;
    }
  }
}

/**
 * Sends texts while they are read. The next one is read once the client has taken the one before, so that memory stays flat. A fault
 * of the first text gets the body of an error. A later fault closes the connection, so that the client notices the missing rest.
 * @param headers of a response that begins
 */
export async function streamText(
  response: Response,
  texts: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<void> {
  const first = await texts.next();
  const { req: request } = response;
  response.set(headers);
  request.streamedFrom = performance.now();
  if (request.method === 'HEAD') {
    await texts.return(undefined);
    return void response.end();
  }
  try {
    await pipeline(from(first, texts), response);
  } catch (error) {
    // The client has gone, which is no fault.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* from(first: IteratorResult<string, unknown>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
