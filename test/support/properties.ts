import fc from 'fast-check';
import { scaled } from './scale';

/** PROPERTY_SEED repeats a run that failed; the default makes every run try the same values. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_122) });

/** Runs of a property at the run's scale. */
export const runs = (full: number): { numRuns: number } => ({ numRuns: scaled(full) });

export { fc };
