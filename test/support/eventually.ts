import { setTimeout as sleep } from 'node:timers/promises';

/** The default of all waits. It costs time only if a test fails, so it suits the slowest machine. */
export const maxWaitMs = 120_000;

const intervalMs = 10;

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
  const giveUpAt = now() + timeoutMs;
  for (;;) {
    const result = await poll();
    if (result) return result;
    if (now() > giveUpAt) throw new Error(`The condition was not met within ${timeoutMs} ms: ${poll.toString()}`);
    await sleep(intervalMs);
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
  const giveUpAt = now() + timeoutMs;
  while (now() < giveUpAt) {
    if (await condition()) return true;
    await sleep(intervalMs);
  }
  return condition();
}
