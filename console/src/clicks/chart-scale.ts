/** Returns at most six whole numbers from zero to at least `max`, in steps of 1, 2 or 5 times a power of ten. */
export function axisValues(max: number): number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(max, 1) / 5)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one * 5 >= max)!;
  const steps = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}

/** Returns the positions of points that have a label, so that each label has at least `labelWidth`. */
export function labelledPoints(points: number, width: number, labelWidth: number): number[] {
  const every = Math.max(1, Math.ceil((points * labelWidth) / Math.max(width, labelWidth)));
  return Array.from({ length: Math.ceil(points / every) }, (_, at) => at * every);
}
