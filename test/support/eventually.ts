import { setTimeout as sleep } from 'node:timers/promises';

/** The default of all waits. It costs time only if a test fails, so it suits the slowest machine. */
export const maxWaitMs = 120_000;

/** A condition may be a request, so a long wait polls less often. It ends at most a half later, and half a second at most. */
const pauseAfter = (waitedMs: number): number => Math.min(Math.max(5, waitedMs / 2), 500);

const wallClock = (): number => performance.now();

/**
 * Polls until the result is truthy, and returns it.
 * @param now the clock that measures `timeoutMs`
 * @throws Error after `timeoutMs`
 */
export async function eventually<T>(
  poll: () => Promise<T | false> | T | false,
  timeoutMs = maxWaitMs,
  now = wallClock,
): Promise<T> {
  const startedAt = now();
  for (;;) {
    const result = await poll();
    if (result) return result;
    const waitedMs = now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`The condition was not met within ${timeoutMs} ms: ${poll.toString()}`);
    await sleep(pauseAfter(waitedMs));
  }
}

/**
 * Waits until a condition is true.
 * @throws Error after `timeoutMs`
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = maxWaitMs,
  now = wallClock,
): Promise<void> {
  await eventually(condition, timeoutMs, now);
}

/** Polls a condition and returns whether it became true in time. */
export async function becomesTrue(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = maxWaitMs,
  now = wallClock,
): Promise<boolean> {
  const startedAt = now();
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs = now() - startedAt) {
    if (await condition()) return true;
    await sleep(pauseAfter(waitedMs));
  }
  return condition();
}
