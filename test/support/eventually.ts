import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again every few milliseconds until the answer is truthy, and returns it. */
export async function eventually<T>(ask: () => Promise<T | false> | T | false, within = 20_000): Promise<T> {
  const giveUpAt = performance.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > giveUpAt) throw new Error(`not within ${within} ms`);
    await sleep(10);
  }
}
