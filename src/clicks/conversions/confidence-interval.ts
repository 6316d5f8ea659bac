/** The quantile of the normal distribution for 95 %. */
const z = 1.959964;

/**
 * Returns the Wilson score interval of 95 % of a rate (E. B. Wilson, 1927), which holds for few events too. Returns null without
 * events, and if there are more successes than events.
 */
export function confidenceInterval(successes: number, events: number): { low: number; high: number } | null {
  if (events === 0 || successes > events) return null;
  const rate = successes / events;
  const middle = rate + z ** 2 / (2 * events);
  const margin = z * Math.sqrt((rate * (1 - rate)) / events + z ** 2 / (4 * events ** 2));
  const scale = 1 + z ** 2 / events;
  // Rounding errors must not leave the range of rates.
  return { low: Math.max(0, (middle - margin) / scale), high: Math.min(1, (middle + margin) / scale) };
}
