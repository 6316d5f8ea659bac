// Programs of tests load this first. It multiplies the production limits by ten (src/platform/postgres/time-limits.ts), because a busy
// machine is slow. The bundle has no fixed file for them, so it waits for the assignment to `exports.timeLimits` of any module.
Object.defineProperty(Object.prototype, 'timeLimits', {
  configurable: true,
  set(limits) {
    // Compiled modules first declare their exports.
    if (limits === undefined) return;
    const value = Object.fromEntries(Object.entries(limits).map(([name, milliseconds]) => [name, milliseconds * 10]));
    Object.defineProperty(this, 'timeLimits', { value, writable: true, enumerable: true, configurable: true });
  },
});
// Specs look at the files that a program loads.
delete require.cache[require.resolve('./generous-limits.cjs')];
