import { mkdirSync, writeFileSync } from 'node:fs';
import { aFingerprint, anAndroidApp, anIosApp } from '../../support/builders';
import { otherServers } from './another-server';
import { manifest, signingBlock, zipArchive } from './app-archive-files';
import { jsonOf, runCommand, useCommands } from './command-run';
import { aFolder } from './folder';

const folder = aFolder();
const anotherServer = otherServers();
const all = useCommands();
let { on, key, project, signpost } = all;
let bundleId: string;
beforeAll(async () => {
  ({ on, key, project, signpost } = all);
  ({ bundle_id: bundleId } = await anIosApp(on, key, project.id));
  const android = await anAndroidApp(on, key, project.id);
  const filters = (host: string) => [{ autoVerify: true, data: [{ scheme: 'https', host, pathPrefix: '/shop/' }] }];
  const build = (host: string, iosId: string) => ({
    expo: {
      version: '1.2.3',
      ios: { bundleIdentifier: iosId, associatedDomains: [`applinks:${host}`] },
      android: { package: android.package_name, intentFilters: filters(host) },
    },
  });
  const served = `${project.subdomain}.localhost`;
  for (const [name, content] of Object.entries({
    good: build(served, bundleId),
    other: build('go.example.com', bundleId),
    unknown: build(served, 'com.example.unknown'),
  })) {
    mkdirSync(folder.file(name));
    writeFileSync(folder.file(`${name}/app.json`), JSON.stringify(content));
  }
  mkdirSync(folder.file('binary'));
  writeFileSync(folder.file('binary/Info.plist'), 'bplist00');
  mkdirSync(folder.file('empty'));
});

const app = (verb: string, name: string, ...further: string[]) =>
  signpost(['app', verb, '--from', folder.file(name), ...further]);

test('app release records both builds of a folder, and replaces them when it is repeated', async () => {
  const first = await app('release', 'good', '--json');
  expect([first.exitCode, first.stderr]).toEqual([0, '']);
  expect(jsonOf<{ releases: object[] }>(first).releases).toMatchObject([
    { platform: 'ios', version: '1.2.3', hosts: [`${project.subdomain}.localhost`], paths: null },
    { platform: 'android', version: '1.2.3', paths: ['/shop/*'] },
  ]);
  await on.database.query('UPDATE app_releases SET retired = true WHERE project_id = $1', [project.id]);
  expect((await app('release', 'good')).exitCode).toBe(0);
  const sql = 'SELECT version, retired FROM app_releases WHERE project_id = $1';
  expect(await on.database.query(sql, [project.id])).toEqual(Array(2).fill({ version: '1.2.3', retired: false }));
});

test('app release of an .apk records its certificate, unless the app lacks it', async () => {
  const { block, fingerprint } = signingBlock(0x7109871a, Buffer.from('certificate'));
  writeFileSync(folder.file('shop.apk'), zipArchive([{ name: 'AndroidManifest.xml', content: manifest }], block));
  const { id } = await anAndroidApp(on, key, project.id, {
    package_name: 'com.example.shop',
    sha_fingerprints: [aFingerprint(1), fingerprint],
  });
  const recorded = async () => {
    const sql = 'SELECT sha_fingerprints FROM app_releases WHERE android_app_id = $1';
    return (await on.database.query<{ sha_fingerprints: string[] }>(sql, [id])).map((row) => row.sha_fingerprints);
  };
  expect(await app('release', 'shop.apk')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await recorded()).toEqual([[fingerprint]]);
  const fingerprints = { sha_fingerprints: [aFingerprint(1)] };
  await on.api('put', `/projects/${project.id}/android-apps/${id}`, key).send(fingerprints).expect(200);
  await on.database.query('DELETE FROM app_releases WHERE android_app_id = $1', [id]);
  const again = await app('release', 'shop.apk');
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`is signed by ${fingerprint}, which`) });
  expect(await recorded()).toEqual([[aFingerprint(1)]]);
  const checked = await app('check', 'shop.apk', '--ci');
  expect(checked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`is signed by ${fingerprint}, which`) });
});

test.each<[what: string, name: string, options: string[], exitCode: number, says: string]>([
  ['a build that the project serves', 'good', ['--ci'], 0, 'serves what the app opens'],
  ['a host that it does not serve', 'other', ['--ci'], 1, 'does not answer on go.example.com, which the ios app opens'],
  ['the same without --ci', 'other', [], 0, 'does not answer on go.example.com'],
  ['an app that it lacks', 'unknown', ['--ci'], 1, 'has no ios app com.example.unknown'],
  ['a damaged file', 'binary', ['--ci'], 2, 'is damaged'],
  ['a folder without files', 'empty', ['--ci'], 2, 'No app.json'],
  ['a folder that is missing', 'missing', ['--ci'], 2, 'cannot be read'],
])('app check of %s', async (_, name, options, exitCode, says) => {
  const done = await app('check', name, ...options);
  expect(done.stdout + done.stderr).toContain(says);
  expect(done.exitCode).toBe(exitCode);
});

test('app check --ci ends with 2 if the service does not answer', async () => {
  const url = await anotherServer((_, response) => void response.writeHead(503, { 'Retry-After': '600' }).end());
  const env = { SIGNPOST_URL: url, SIGNPOST_API_KEY: 'key', SIGNPOST_PROJECT: project.id };
  const check = (...options: string[]) =>
    runCommand(['app', 'check', '--from', folder.file('good'), ...options], { env });
  expect((await check('--ci')).exitCode).toBe(2);
  expect((await check()).exitCode).toBe(5);
});

test('links explain examines an installed version', async () => {
  await app('release', 'good');
  const create = 'links create --name Hat --custom-path shop/hat --external-id hat';
  expect((await signpost(create.split(' '))).exitCode).toBe(0);
  const explain = (...options: string[]) => signpost(['links', 'explain', 'external:hat', ...options]);
  const opening = await explain('--platform', 'android', '--app-version', '1.2.3');
  expect([opening.stderr, opening.stdout]).toEqual(['', expect.stringContaining('android 1.2.3 opens the link.')]);
  const elsewhere = await explain('--app-version', '1.2.3', '--host', 'go.example.com');
  expect(elsewhere.stdout).toContain('ios 1.2.3 does not open the link.\n  no  The version does not name the host');
  expect((await explain('--app-version', '9')).stderr).toContain('No release 9 is recorded.');
  expect(jsonOf<{ releases: object[] }>(await explain('--app-version', '1.2.3', '--json')).releases).toHaveLength(1);
});

test('links as code and other commands warn of broken versions, or need --acknowledge', async () => {
  const other = await anIosApp(on, key, project.id);
  const file = folder.file('links.yaml');
  const write = (bundle: string) =>
    writeFileSync(file, `links:\n  shoe:\n    name: Shoe\n    custom_path: shoe\n    ios_bundle_id: ${bundle}\n`);
  const apply = (...options: string[]) => signpost(['apply', '-f', file, '--yes', ...options]);
  await app('release', 'good');
  write(bundleId);
  expect((await apply()).exitCode).toBe(0);
  write(other.bundle_id);
  const guard = (mode: string) => signpost(['projects', 'update', project.id, '--release-guard', mode]);
  expect((await guard('refuse')).exitCode).toBe(0);
  const refused = await apply();
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('BREAKS_RELEASED_APP')]);
  const back = async () => {
    write(bundleId);
    expect((await apply()).exitCode).toBe(0);
    write(other.bundle_id);
  };
  const made = await apply('--acknowledge', '1.2.3');
  expect([made.exitCode, made.stderr]).toEqual([0, expect.stringContaining('breaks released versions of apps: 1.2.3')]);
  await guard('warn');
  await back();
  expect((await apply()).stderr).toContain('breaks released versions of apps: 1.2.3');
  await guard('refuse');
  await back();
  await on.database.query('UPDATE app_releases SET retired = true WHERE project_id = $1', [project.id]);
  const unsaid = await apply();
  expect([unsaid.exitCode, unsaid.stderr]).toEqual([0, expect.not.stringContaining('released')]);
  await on.database.query('UPDATE app_releases SET retired = false WHERE project_id = $1', [project.id]);
  await guard('warn');
  const renamed = await signpost(['projects', 'update', project.id, '--subdomain', `${project.subdomain}-new`]);
  expect(renamed.stderr).toContain('Warning: the change breaks released versions of apps: 1.2.3');
});
