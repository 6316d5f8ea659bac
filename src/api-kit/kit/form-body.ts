import type { IncomingMessage } from 'node:http';
import { PayloadTooLarge } from './http.errors';

/** A password of 200 characters, percent-encoded. */
const maxFormBytes = 4000;

/**
 * Reads the fields of a form (`application/x-www-form-urlencoded`).
 * @throws PayloadTooLarge
 */
export async function formBody(request: IncomingMessage): Promise<URLSearchParams> {
  if (Number(request.headers['content-length'] ?? 0) > maxFormBytes) throw new PayloadTooLarge(maxFormBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxFormBytes) throw new PayloadTooLarge(maxFormBytes);
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
