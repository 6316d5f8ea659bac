import { createHash } from 'node:crypto';
import { InvalidInput } from '../../shared/problem';

/** Milliseconds that an answer is kept. */
export const answersAreKept = 24 * 60 * 60_000;

/** Visible ASCII: what every client and proxy passes on as it is. */
const acceptableKey = /^[\x21-\x7e]{1,255}$/;

/** What makes two requests the same one, sent again. */
export interface Idempotency {
  /** Of account, method, path and key. */
  requestDigest: Buffer;
  /** Of the body: the same key with another one is a mistake of the caller. */
  payloadDigest: Buffer;
}

export interface IdempotentAnswer {
  payloadDigest: Buffer;
  /** The `Location` header, where there was one. */
  location: string | null;
  /** JSON. */
  body: string;
  answeredAt: Date;
}

/** @throws InvalidInput when the key is none */
export function idempotencyOf(
  accountId: string,
  request: { method: string; path: string; body?: unknown },
  key: string,
): Idempotency {
  if (!acceptableKey.test(key))
    throw new InvalidInput('Idempotency-Key must have 1 to 255 visible ASCII characters, such as a UUID');
  // Ids in paths are read in any letter case, and nothing else of a path has capitals.
  const parts = [accountId, request.method, request.path.toLowerCase(), key];
  return { requestDigest: digest(parts), payloadDigest: digest(request.body ?? null) };
}

const digest = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();
