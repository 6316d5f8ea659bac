/** Treatments of a change that breaks a released version: it is refused, made with a report, or not examined. */
export const releaseGuardModes = ['refuse', 'warn', 'off'] as const;
export type ReleaseGuardMode = (typeof releaseGuardModes)[number];
