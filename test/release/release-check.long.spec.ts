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

test('an unknown step is refused', () => {
  expect(check('licenses')).toMatchObject({ status: 2, output: expect.stringContaining('Unknown step licenses') });
});

describe('licences', () => {
  test.each(['MIT', 'Apache-2.0', '(Apache-2.0 OR MIT)', 'GPL-3.0-only OR MIT', 'Apache-2.0 AND MIT'])(
    '%s is accepted',
    (license) => {
      packages = { 'node_modules/one': entry({ license }) };
      expect(check('licences')).toMatchObject({ status: 0, output: expect.stringContaining('1 shipped packages') });
    },
  );

  test.each([
    'AGPL-3.0-or-later',
    'GPL-2.0-only',
    'LGPL-3.0-or-later',
    'SSPL-1.0',
    'MIT AND GPL-3.0-only',
    'GPL-3.0-only WITH Classpath-exception-2.0',
    'SEE LICENSE IN LICENSE',
    'CC-BY-4.0',
  ])('%s is refused with the name of the package', (license) => {
    packages = { 'node_modules/one': entry({}), 'node_modules/@a/two': entry({ license }) };
    expect(check('licences')).toMatchObject({
      status: 1,
      output: expect.stringContaining(`node_modules/@a/two@1.0.0 has the licence ${license}.`),
    });
  });

  test('an unknown licence is refused', () => {
    packages = { 'node_modules/one': entry({ license: undefined }) };
    expect(check('licences')).toMatchObject({ status: 1, output: expect.stringContaining('has the licence unknown') });
  });

  test('the form of old packages is read', () => {
    packages = { 'node_modules/one': entry({ license: undefined }) };
    mkdirSync(join(folder, 'node_modules/one'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/one/package.json'), '{ "licenses": [{ "type": "MIT" }] }');
    expect(check('licences').status).toBe(0);
  });

  test('a workspace of the repository is no package', () => {
    workspaces = ['console'];
    packages = { console: { license: 'UNLICENSED' }, 'node_modules/console': { resolved: 'console', link: true } };
    expect(check('licences')).toMatchObject({ status: 0, output: expect.stringContaining('0 shipped packages') });
  });

  test('packages of folders with a separate lock file are development tools', () => {
    mkdirSync(join(folder, 'tools'));
    const lock = (license: string) => lockOf({ name: 'tools' }, { 'node_modules/two': entry({ license }) });
    writeFileSync(join(folder, 'tools/package-lock.json'), lock('MPL-2.0'));
    expect(check('licences')).toMatchObject({ status: 0, output: expect.stringContaining('1 development packages') });
    writeFileSync(join(folder, 'tools/package-lock.json'), lock('GPL-3.0-only'));
    expect(check('licences')).toMatchObject({
      status: 1,
      output: expect.stringContaining('tools/node_modules/two@1.0.0 has the licence GPL-3.0-only (development).'),
    });
  });

  test('development tools are checked too, and may contain data under CC-BY', () => {
    packages = { 'node_modules/one': entry({ license: 'CC-BY-4.0', dev: true }) };
    expect(check('licences').status).toBe(0);
    packages = { 'node_modules/one': entry({ license: 'GPL-3.0-only', dev: true }) };
    expect(check('licences')).toMatchObject({ status: 1, output: expect.stringContaining('(development)') });
  });
});

describe('the lock file', () => {
  test('passes with packages of the registry', () => {
    packages = {};
    expect(check('lock-file')).toMatchObject({ status: 0 });
  });

  test.each<[string, string, Entry]>([
    [
      'another host',
      'comes from https://packages.example.com/one.tgz',
      { resolved: 'https://packages.example.com/one.tgz' },
    ],
    ['a host that begins alike', 'comes from', { resolved: 'https://registry.npmjs.org.example.com/one.tgz' }],
    ['a repository', 'comes from git+ssh', { resolved: 'git+ssh://git@github.com/a/one.git#abc' }],
    ['no checksum', 'has no SHA-512 checksum', { integrity: undefined }],
    ['an old checksum', 'has no SHA-512 checksum', { integrity: 'sha1-AA==' }],
    ['a folder', 'is a folder', { link: true, resolved: 'one' }],
  ])('is refused with %s', (_, finding, more) => {
    packages = { 'node_modules/one': entry(more) };
    expect(check('lock-file')).toMatchObject({ status: 1, output: expect.stringContaining(finding) });
  });

  test('is refused if package.json names a package that it lacks', () => {
    packages = {};
    dependencies = { one: '1.0.0' };
    expect(check('lock-file')).toMatchObject({ status: 1, output: expect.stringContaining('lock-file: FAILED') });
  });
});

describe('the changelog', () => {
  const section = '## [1.2.3] - 2026-11-22\n\n### Added\n\n- A thing.\n';

  test('needs entries for the version or under Unreleased', () => {
    expect(check('changelog')).toMatchObject({ status: 0, output: expect.stringContaining('[Unreleased]') });
    changelog = '# Changelog\n\n## [Unreleased]\n';
    expect(check('changelog')).toMatchObject({ status: 1, output: expect.stringContaining('has no entry') });
    changelog = '# Changelog\n\n## [1.2.2] - 2026-11-22\n\n- A thing.\n';
    expect(check('changelog')).toMatchObject({ status: 1, output: expect.stringContaining('no section for 1.2.3') });
  });

  test('needs a dated section for a tag of the same version', () => {
    expect(check('--tag', 'v1.2.3', 'changelog')).toMatchObject({ status: 1 });
    changelog += `\n${section}`;
    expect(check('--tag', 'v1.2.3', 'changelog')).toMatchObject({ status: 0 });
    expect(check('--tag', 'v1.2.4', 'changelog')).toMatchObject({
      status: 1,
      output: expect.stringContaining('The tag is v1.2.4, and package.json has 1.2.3.'),
    });
    changelog = changelog.replace(' - 2026-11-22', '');
    expect(check('--tag', 'v1.2.3', 'changelog')).toMatchObject({
      status: 1,
      output: expect.stringContaining('has no date'),
    });
  });
});
