import type { ThrottlerStorage } from '@nestjs/throttler';
import type { ServerResponse } from 'node:http';
import { RateLimited } from './rate-limit.errors';

/** Milliseconds of a window (specification, "Limits": requests a minute). */
export const rateLimitWindow = 60_000;

/**
 * Counts a request and says so in the headers of its answer, whatever that will be.
 *
 * @param now milliseconds since 1970
 * @throws RateLimited when it is one too many
 */
export async function countRequest(
  storage: ThrottlerStorage,
  tracker: string,
  limit: number,
  now: () => number,
  response: ServerResponse,
): Promise<void> {
  const { totalHits, timeToExpire } = await storage.increment(
    tracker,
    rateLimitWindow,
    limit,
    rateLimitWindow,
    'default',
  );
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', Math.max(0, limit - totalHits));
  // Windows end at whole multiples of their length: rounding takes out the time since the count.
  response.setHeader('X-RateLimit-Reset', Math.round((now() + timeToExpire) / rateLimitWindow) * rateLimitWindow);
  if (totalHits > limit) throw new RateLimited(Math.max(1, Math.ceil(timeToExpire / 1000)));
}
