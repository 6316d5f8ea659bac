import type { ThrottlerStorage } from '@nestjs/throttler';
import type { ServerResponse } from 'node:http';
import { RateLimited } from './rate-limit.errors';

export class RateLimitSettings {
  /** Requests of an API key or an address. */
  readonly perMinute: number;
  /** Requests of a person, over all their tokens. */
  readonly perMinuteOfPerson: number;
  /** Undefined if requests are counted in the process. */
  readonly redisUrl: string | undefined;
}

/** The length of a window in milliseconds (specification, "Limits": requests per minute). */
export const rateLimitWindowMs = 60_000;

/** The operations of one request that count as much as a request, because they cost less than single ones. */
export const operationsPerRequest = 100;

/** Returns how many requests the operations of a request count as: at most a whole window, so that each can be sent. */
export const requestsOf = (operations: number, limit: number): number =>
  Math.max(1, Math.min(Math.ceil(operations / operationsPerRequest), limit));

/**
 * Counts a request and sets the `X-RateLimit-…` headers, which every answer has, also an error.
 *
 * @param now milliseconds since 1970
 * @throws RateLimited if the request exceeds the limit
 */
export async function countRequest(
  storage: ThrottlerStorage,
  tracker: string,
  limit: number,
  now: () => number,
  response: ServerResponse,
): Promise<void> {
  const window = rateLimitWindowMs;
  const { totalHits, timeToExpire } = await storage.increment(tracker, window, limit, window, 'default');
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', Math.max(0, limit - totalHits));
  // Windows end at whole multiples of their length, so rounding removes the time that has passed since the count.
  response.setHeader('X-RateLimit-Reset', Math.round((now() + timeToExpire) / rateLimitWindowMs) * rateLimitWindowMs);
  if (totalHits > limit) throw new RateLimited(Math.max(1, Math.ceil(timeToExpire / 1000)));
}
