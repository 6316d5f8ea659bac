import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from './findings.mjs';
import { lockFiles } from './lock-files.mjs';

/** Writes the software bill of materials of the image in the format CycloneDX, and checks it against the lock file. */
export function checkSbom(root) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [{ entries }] = lockFiles(root);
  // The image contains neither development tools nor the embedded PostgreSQL (Dockerfile).
  const shipped = new Set(
    entries
      .filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional)
      .map(([path, entry]) => `${entry.name ?? path.replace(/^.*node_modules\//, '')}@${entry.version}`),
  );
  const bom = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    }),
  );
  // `--omit dev` of npm 11 also omits packages of production that a development tool needs too, such as zod.
  bom.components = bom.components
    .filter((component) => shipped.has(component['bom-ref']))
    .map((component) => ({ ...component, properties: [] }));
  const self = bom.metadata.component['bom-ref'];
  const refs = new Set([self, ...bom.components.map((component) => component['bom-ref'])]);
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  // npm takes the name from the folder.
  Object.assign(bom.metadata.component, { name, type: 'application' });
  refuse([
    ...(self === `${name}@${version}` ? [] : [`It describes ${self}, not ${name}@${version}.`]),
    ...[...shipped].filter((one) => !refs.has(one)).map((one) => `${one} is missing.`),
    ...bom.components
      .filter(({ purl }) => !purl?.startsWith('pkg:npm/'))
      .map((one) => `${one['bom-ref']} has no purl.`),
  ]);
  const file = `reports/${name}-${version}.cdx.json`;
  mkdirSync(join(root, 'reports'), { recursive: true });
  writeFileSync(join(root, file), `${JSON.stringify(bom, null, 2)}\n`);
  return `${bom.components.length} components in ${file}`;
}
