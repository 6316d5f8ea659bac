/**
 * Multiplies the production limits of this program by ten (src/platform/postgres/time-limits.ts), because a busy machine is slow. The
 * bundle has no fixed file for them, so this waits for the assignment to `exports.timeLimits` of any module.
 */
module.exports = function multiplyLimits(kept = []) {
  Object.defineProperty(Object.prototype, 'timeLimits', {
    configurable: true,
    set(limits) {
      // Compiled modules first declare their exports.
      if (limits === undefined) return;
      const value = Object.fromEntries(
        Object.entries(limits).map(([name, milliseconds]) => [name, milliseconds * (kept.includes(name) ? 1 : 10)]),
      );
      Object.defineProperty(this, 'timeLimits', { value, writable: true, enumerable: true, configurable: true });
    },
  });
};
// Specs look at the files that a program loads.
delete require.cache[require.resolve('./multiply-limits.cjs')];
