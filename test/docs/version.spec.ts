import { parse } from 'yaml';
import { versionOfThis } from '../../src/shared/package-root';
import { readPage } from '../support/pages';

interface Described {
  version: string;
  license: string;
  appVersion: string;
  packages: Record<string, { version: string }>;
  info: { version: string; license: unknown };
}

const readJson = (path: string): Described => JSON.parse(readPage(path)) as Described;

const chart = parse(readPage('deploy/helm/signpost/Chart.yaml')) as Described;
const { version, license } = readJson('package.json');
const client = readJson('clients/typescript/package.json');
const { info } = readJson('openapi.json');

test('the version is a release of Semantic Versioning', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/);
});

test.each<[string, () => unknown]>([
  ['the lock file', () => readJson('package-lock.json').version],
  ['the package in the lock file', () => readJson('package-lock.json').packages['']!.version],
  ['the chart', () => chart.version],
  ['the image that the chart starts', () => chart.appVersion],
  ['the label of the image', () => /^ARG VERSION=(.+)$/m.exec(readPage('Dockerfile'))?.[1]],
  ['the service', versionOfThis],
])('%s has the version of package.json', (_, versionIn) => {
  expect(versionIn()).toBe(version);
});

test('the image label takes its version from the build argument', () => {
  expect(readPage('Dockerfile')).toContain('org.opencontainers.image.version="${VERSION}"');
});

test('the API and its client have the licence of package.json, and the version of the API', () => {
  expect(info).toMatchObject({ license: { name: license }, version: '1.0.0' });
  expect(client).toMatchObject({ license, version: '1.0.0' });
});

test('the changelog has a section for the version, or for unreleased changes', () => {
  const sections = [...readPage('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, name]) => name);
  expect(sections[0]).toBe('Unreleased');
  const released = sections.slice(1);
  if (released.length > 0) expect(released[0]).toBe(version);
});
