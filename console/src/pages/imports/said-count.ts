/** Rounds a growing count down to its first digit, so that screen readers say few of its values. */
export function saidCount(count: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return Math.floor(count / step) * step;
}
