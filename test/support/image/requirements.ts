import { spawnSync } from 'node:child_process';

const programs = ['buildah', 'mmdebstrap', 'mount', 'nsenter', 'setpriv', 'unshare'];

/**
 * Returns whether this machine can build and start images.
 * @throws Error if it cannot and `CI` is set, because CI skips no test
 */
export function canBuildImages(): boolean {
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  const reason =
    process.getuid?.() !== 0 ? 'needs root' : missing.length > 0 ? `needs ${missing.join(', ')}` : undefined;
  if (reason === undefined) return true;
  const message = `The test of the container image ${reason}: apt-get install buildah mmdebstrap, and run it as root.`;
  if (process.env['CI']) throw new Error(message);
  console.warn(`Skipped. ${message}`);
  return false;
}
