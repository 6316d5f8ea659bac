/**
 * Returns whether this user may build and start images.
 * @throws Error if not and `CI` is set, because CI skips no test
 */
export function mayBuildImages(): boolean {
  if (process.getuid?.() === 0) return true;
  const message = 'The test of the container image needs root. Run it as root.';
  if (process.env['CI']) throw new Error(message);
  console.warn(`Skipped. ${message}`);
  return false;
}
