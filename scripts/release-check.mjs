// npm run release:check [-- --tag vX.Y.Z] [step …]: checks what a release needs (docs/releasing.md). Without steps it runs all of them.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBuild } from './release/build.mjs';
import { checkChangelog } from './release/changelog.mjs';
import { checkLicences } from './release/licences.mjs';
import { checkLockFile } from './release/lock-file.mjs';
import { checkSbom } from './release/sbom.mjs';
import { checkUpgrade } from './release/upgrade.mjs';

/** Each step returns a summary, or throws an error that lists its findings. */
const steps = {
  changelog: checkChangelog,
  'lock-file': checkLockFile,
  licences: checkLicences,
  sbom: checkSbom,
  build: checkBuild,
  upgrade: checkUpgrade,
};

const { values, positionals } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '..') }, tag: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`Unknown step ${unknown.join(', ')}. Use ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}

for (const name of positionals.length > 0 ? positionals : Object.keys(steps)) {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  try {
    const summary = await steps[name](resolve(values.root), values);
    console.log(`${name}: ${summary} (${seconds()})`);
  } catch (error) {
    console.error(`${name}: FAILED (${seconds()})\n${error.message}`);
    process.exitCode = 1;
  }
}
