import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from './findings.mjs';

/** Writes the software bill of materials of the image (CycloneDX), and checks that it lists the packages of the lock file. */
export function checkSbom(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  // The image contains neither development tools nor the embedded PostgreSQL (Dockerfile).
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--omit', 'optional'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  const { bomFormat, metadata, components } = JSON.parse(text);
  const listed = new Set(components.map(({ name, group, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
  const shipped = Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path, entry]) => `${entry.name ?? path.replace(/^.*node_modules\//, '')}@${entry.version}`);
  refuse([
    ...(bomFormat === 'CycloneDX' ? [] : [`The format is ${bomFormat}.`]),
    ...(metadata.component.version === version ? [] : [`The version is ${metadata.component.version}.`]),
    ...shipped.filter((name) => !listed.has(name)).map((name) => `${name} is missing.`),
  ]);
  const file = join(root, `reports/signpost-${version}.cdx.json`);
  mkdirSync(join(root, 'reports'), { recursive: true });
  writeFileSync(file, text);
  return `${components.length} components in reports/signpost-${version}.cdx.json`;
}
