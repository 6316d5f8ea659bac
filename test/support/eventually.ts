import { setTimeout as sleep } from 'node:timers/promises';

/** The default of all waits. It costs time only if a test fails, so it suits the slowest machine. */
export const maxWaitMs = 120_000;

/**
 * Polls every 10 ms until the result is truthy, and returns it.
 * @param now the clock that measures `timeoutMs`
 * @throws Error after `timeoutMs`
 */
export async function eventually<T>(
  poll: () => Promise<T | false> | T | false,
  timeoutMs = maxWaitMs,
  now: () => number = () => performance.now(),
): Promise<T> {
  const giveUpAt = now() + timeoutMs;
  for (;;) {
    const result = await poll();
    if (result) return result;
    if (now() > giveUpAt) throw new Error(`The condition was not met within ${timeoutMs} ms.`);
    await sleep(10);
  }
}
