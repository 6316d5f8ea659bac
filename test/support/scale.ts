/** The fraction of the full number of property runs and race rounds. `.ci/nightly` sets TEST_SCALE to 1. */
export const scale = Number(process.env['TEST_SCALE'] ?? 0.02);

/** Scales a number, to at least 1. */
export const scaled = (full: number): number => Math.max(1, Math.ceil(full * scale));

/** Returns the round numbers of a race test, from 1, for `test.each`. */
export const rounds = (full: number): number[] => Array.from({ length: scaled(full) }, (_, at) => at + 1);

/**
 * Returns all values at full scale, and `count` of them otherwise. `at` is the place of a row in its table. It selects the values, so that
 * the rows together try all.
 */
export const sample = <T>(values: readonly T[], at: number, count = 2): T[] =>
  scale === 1 || values.length <= count
    ? [...values]
    : Array.from({ length: count }, (_, index) => values[(at * count + index) % values.length]!);
