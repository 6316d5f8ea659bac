/** Share of the full number of property runs and race rounds. `npm run test:all` sets TEST_SCALE to 1. */
export const scale = Number(process.env['TEST_SCALE'] ?? 0.2);

/** At least one. */
export const scaled = (full: number): number => Math.max(1, Math.ceil(full * scale));

/** Numbers from 1 on, one for each round of a race, for `test.each`. */
export const rounds = (full: number): number[] => Array.from({ length: scaled(full) }, (_, at) => at + 1);
