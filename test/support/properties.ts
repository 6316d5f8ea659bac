import fc from 'fast-check';
import { scaled } from './scale';

/** PROPERTY_SEED repeats a failed run. By default every run has the same seed. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_122) });

/** Returns the number of runs of a property at the current scale, but at least `least`. */
export const runs = (full: number, least = 1): { numRuns: number } => ({ numRuns: Math.max(least, scaled(full)) });

export { fc };
