import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { versionOfThis } from '../../src/shared/package-root';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readJson = <T>(path: string): T => JSON.parse(read(path)) as T;

const { version, license } = readJson<{ version: string; license: string }>('package.json');

test('the version is a release of Semantic Versioning', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/);
});

test.each<[string, () => unknown]>([
  ['the lock file', () => readJson<{ version: string }>('package-lock.json').version],
  [
    'the package in the lock file',
    () => readJson<{ packages: Record<string, { version: string }> }>('package-lock.json').packages['']!.version,
  ],
  ['the chart', () => (parse(read('deploy/helm/signpost/Chart.yaml')) as { version: string }).version],
  [
    'the image that the chart starts',
    () => (parse(read('deploy/helm/signpost/Chart.yaml')) as { appVersion: string }).appVersion,
  ],
  ['the label of the image', () => /^ARG VERSION=(.+)$/m.exec(read('Dockerfile'))?.[1]],
  ['the service', versionOfThis],
])('%s has the version of package.json', (_, versionIn) => {
  expect(versionIn()).toBe(version);
});

test('the image label takes its version from the build argument', () => {
  expect(read('Dockerfile')).toContain('org.opencontainers.image.version="${VERSION}"');
});

test.each<[string, () => unknown]>([
  ['the API description', () => readJson<{ info: { license: unknown } }>('openapi.json').info.license],
  ['the client', () => ({ name: readJson<{ license: string }>('clients/typescript/package.json').license })],
])('%s has the licence of package.json', (_, licenceIn) => {
  expect(licenceIn()).toEqual({ name: license });
});

test('the API and its client keep the version of the API', () => {
  expect(readJson<{ info: { version: string } }>('openapi.json').info.version).toBe('1.0.0');
  expect(readJson<{ version: string }>('clients/typescript/package.json').version).toBe('1.0.0');
});

test('the changelog has a section for the version, or for unreleased changes', () => {
  const sections = [...read('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, name]) => name);
  expect(sections[0]).toBe('Unreleased');
  const released = sections.slice(1);
  if (released.length > 0) expect(released[0]).toBe(version);
});
