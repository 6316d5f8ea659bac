import { createHash } from 'node:crypto';
import { InvalidInput } from '../../shared/problem';

export const answersKeptHours = 24;

/** Visible ASCII, which clients and proxies pass on unchanged. */
export const acceptableKey = /^[\x21-\x7e]{1,255}$/;

export interface Idempotency {
  accountId: string;
  /** Digest of account, method, path and key. */
  requestDigest: Buffer;
  /** Digest of the body. Another body with the same key is an error of the caller. */
  payloadDigest: Buffer;
}

/** Only answers above `large` are counted. Tests lower these bytes. */
export const storedBytes = { large: 16_384, ofAccount: 2_000_000_000 };

export interface RecordedAnswer {
  /** JSON. */
  body: string;
}

export interface IdempotentAnswer extends RecordedAnswer {
  payloadDigest: Buffer;
}

/**
 * Returns the response to repeat.
 * @throws InvalidInput if the first request had another body
 */
export function replayOf(answer: IdempotentAnswer, payloadDigest: Buffer): RecordedAnswer {
  if (!answer.payloadDigest.equals(payloadDigest))
    throw refused('This Idempotency-Key was used with another body; use a new key for a new request');
  return { body: answer.body };
}

/**
 * Identifies the operation by its route and parameters, because a path has several spellings: with a final slash, in other letter
 * case, percent-encoded.
 *
 * @param request `route` is a template such as `/projects/:projectId/links`
 * @throws InvalidInput if the key has other characters, or too many
 */
export function idempotencyOf(
  accountId: string,
  request: { method: string; route: string; params: Record<string, unknown>; body?: unknown },
  key: string,
): Idempotency {
  if (!acceptableKey.test(key))
    throw refused('Idempotency-Key must have 1 to 255 visible ASCII characters, such as a UUID');
  // Ids in paths are case-insensitive.
  const path = request.route.replace(/:(\w+)/g, (_, name: string) => String(request.params[name]).toLowerCase());
  const parts = [accountId, request.method, path, key];
  return { accountId, requestDigest: digest(parts), payloadDigest: digest(request.body ?? null) };
}

const refused = (message: string): InvalidInput =>
  InvalidInput.asAWhole('invalid_format', message, ['Idempotency-Key']);

const digest = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();
