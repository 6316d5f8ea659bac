/** The sources of each combined signal. They live as long as it does. */
const sourcesOf = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * Returns a signal that aborts with the first of its sources. Use it instead of `AbortSignal.any`, which holds its sources weakly: a
 * time-out that nothing else holds is garbage, and never comes (nodejs/node#57736).
 */
export function anySignal(...sources: readonly AbortSignal[]): AbortSignal {
  const combined = AbortSignal.any([...sources]);
  sourcesOf.set(combined, sources);
  return combined;
}
