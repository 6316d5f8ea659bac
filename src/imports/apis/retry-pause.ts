import { retryAfterMsOf } from '../../platform/outbound/retry-after';

/** Waits between attempts in milliseconds. Tests lower them. */
export const pauses = { firstMs: 1000, maxMs: 300_000 };

/** The longest wait that an API may ask for. Limits per hour are the longest known ones. */
const maxRetryAfterMs = 2 * 3_600_000;

/** Attempts at a question after which its API counts as broken, and those at one that it limits. */
const maxAttempts = { failed: 6, limited: 40 };

/** Attempts that have failed. They are separate, because a fault may come after hours of waits for a limit. */
export type Attempts = Readonly<Record<keyof typeof maxAttempts, number>>;

/**
 * Returns the wait before the next attempt; null if another one would be useless.
 * @param attempt that has failed for this reason, from 1
 * @param retryAfter the header
 */
export function pauseMs(
  reason: keyof Attempts,
  attempt: number,
  retryAfter: string | undefined,
  now: number,
): number | null {
  if (attempt >= maxAttempts[reason]) return null;
  const requestedMs = retryAfterMsOf(retryAfter, now);
  if (requestedMs !== null) return requestedMs > maxRetryAfterMs ? null : Math.max(requestedMs, pauses.firstMs);
  return Math.min(pauses.firstMs * 2 ** (attempt - 1), pauses.maxMs);
}
