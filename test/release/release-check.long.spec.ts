import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(__dirname, '../../scripts/release-check.mjs');

interface Entry {
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  dev?: boolean;
  link?: boolean;
}

const lockOf = (project: object, packages: Record<string, object>): string =>
  JSON.stringify({ ...project, lockfileVersion: 3, requires: true, packages: { '': project, ...packages } });

let folder: string;
let changelog: string;
let dependencies: Record<string, string>;
let workspaces: string[] | undefined;
let packages: Record<string, Entry>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signpost-release-'));
  changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n';
  dependencies = {};
  workspaces = undefined;
  packages = { 'node_modules/one': entry({}) };
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = (more: Entry): Entry => ({ version: '1.0.0', license: 'MIT', integrity: 'sha512-AA==', ...more });

function check(...options: string[]): { status: number | null; output: string } {
  const project = { name: 'example', version: '1.2.3', dependencies, workspaces };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'package-lock.json'), lockOf(project, packages));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--root', folder, ...options], {
    encoding: 'utf8',
    env: { ...process.env, npm_config_offline: 'true' },
  });
  return { status, output: stdout + stderr };
}

function expectChecked(options: string, status: number, text = ''): void {
  expect(check(...options.split(' '))).toMatchObject({ status, output: expect.stringContaining(text) });
}

test('an unknown step is refused', () => expectChecked('licenses', 2, 'Unknown step licenses'));

describe('licences', () => {
  test.each(['MIT', 'Apache-2.0', '(Apache-2.0 OR MIT)', 'GPL-3.0-only OR MIT', 'Apache-2.0 AND MIT'])(
    '%s is accepted',
    (license) => {
      packages = { 'node_modules/one': entry({ license }) };
      expectChecked('licences', 0, '1 shipped packages');
    },
  );

  test.each([
    ...[undefined, 'AGPL-3.0-or-later', 'GPL-2.0-only', 'LGPL-3.0-or-later', 'SSPL-1.0', 'MIT AND GPL-3.0-only'],
    ...['GPL-3.0-only WITH Classpath-exception-2.0', 'SEE LICENSE IN LICENSE', 'CC-BY-4.0'],
  ])('%s is refused with the name of the package', (license) => {
    packages = { 'node_modules/one': entry({}), 'node_modules/@a/two': entry({ license }) };
    expectChecked('licences', 1, `node_modules/@a/two@1.0.0 has the licence ${license ?? 'unknown'}.`);
  });

  test('the form of old packages is read', () => {
    packages = { 'node_modules/one': entry({ license: undefined }) };
    mkdirSync(join(folder, 'node_modules/one'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/one/package.json'), '{ "licenses": [{ "type": "MIT" }] }');
    expectChecked('licences', 0);
  });

  test('a workspace of the repository is no package', () => {
    workspaces = ['console'];
    packages = { console: { license: 'UNLICENSED' }, 'node_modules/console': { resolved: 'console', link: true } };
    expectChecked('licences', 0, '0 shipped packages');
  });

  test('packages of folders with a separate lock file are development tools', () => {
    mkdirSync(join(folder, 'tools'));
    const lock = (license: string) => lockOf({ name: 'tools' }, { 'node_modules/two': entry({ license }) });
    writeFileSync(join(folder, 'tools/package-lock.json'), lock('MPL-2.0'));
    expectChecked('licences', 0, '1 development packages');
    writeFileSync(join(folder, 'tools/package-lock.json'), lock('GPL-3.0-only'));
    expectChecked('licences', 1, 'tools/node_modules/two@1.0.0 has the licence GPL-3.0-only (development).');
  });

  test('development tools are checked too, and may contain data under CC-BY', () => {
    packages = { 'node_modules/one': entry({ license: 'CC-BY-4.0', dev: true }) };
    expectChecked('licences', 0);
    packages = { 'node_modules/one': entry({ license: 'GPL-3.0-only', dev: true }) };
    expectChecked('licences', 1, '(development)');
  });
});

describe('the lock file', () => {
  test('passes with packages of the registry', () => {
    packages = {};
    expectChecked('lock-file', 0);
  });

  test.each<[string, string, Entry]>([
    ['another host', 'comes from https://a.example/one.tgz', { resolved: 'https://a.example/one.tgz' }],
    ['a host that begins alike', 'comes from', { resolved: 'https://registry.npmjs.org.example.com/one.tgz' }],
    ['a repository', 'comes from git+ssh', { resolved: 'git+ssh://git@github.com/a/one.git#abc' }],
    ['no checksum', 'has no SHA-512 checksum', { integrity: undefined }],
    ['an old checksum', 'has no SHA-512 checksum', { integrity: 'sha1-AA==' }],
    ['a folder', 'is a folder', { link: true, resolved: 'one' }],
  ])('is refused with %s', (_, finding, more) => {
    packages = { 'node_modules/one': entry(more) };
    expectChecked('lock-file', 1, finding);
  });

  test('is refused if package.json names a package that it lacks', () => {
    packages = {};
    dependencies = { one: '1.0.0' };
    expectChecked('lock-file', 1, 'lock-file: FAILED');
  });
});

describe('the changelog', () => {
  const section = '## [1.2.3] - 2026-11-22\n\n### Added\n\n- A thing.\n';

  test('needs entries for the version or under Unreleased', () => {
    expectChecked('changelog', 0, '[Unreleased]');
    changelog = '# Changelog\n\n## [Unreleased]\n';
    expectChecked('changelog', 1, 'has no entry');
    changelog = '# Changelog\n\n## [1.2.2] - 2026-11-22\n\n- A thing.\n';
    expectChecked('changelog', 1, 'no section for 1.2.3');
  });

  test('needs a dated section for a tag of the same version', () => {
    expectChecked('--tag v1.2.3 changelog', 1);
    changelog += `\n${section}`;
    expectChecked('--tag v1.2.3 changelog', 0);
    expectChecked('--tag v1.2.4 changelog', 1, 'The tag is v1.2.4, and package.json has 1.2.3.');
    changelog = changelog.replace(' - 2026-11-22', '');
    expectChecked('--tag v1.2.3 changelog', 1, 'has no date');
  });
});
