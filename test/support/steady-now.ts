const tickMs = 5;
const maxCountedMs = 10;
let steadyMs = 0;
let ticking = false;

/** These do not change when a test fakes them. */
const { setInterval: realInterval, performance: realPerformance } = globalThis;
const realNow = realPerformance.now.bind(realPerformance);

/**
 * Returns milliseconds without the stalls of a busy machine: ticks come every 5 ms, and each counts 10 at most. So limits of seconds
 * hold on a machine whose processor is shared. Time begins with the first call.
 */
export function steadyNow(): number {
  if (!ticking) {
    ticking = true;
    let last = realNow();
    realInterval(() => {
      const now = realNow();
      steadyMs += Math.min(now - last, maxCountedMs);
      last = now;
    }, tickMs).unref();
  }
  return steadyMs;
}
