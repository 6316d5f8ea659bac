/** @needs platforms */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { readPage } from '../support/pages';
import { bundleOf } from './bundle';
import { aTemporaryFolder } from '../support/temporary-folder';

interface Files {
  entitlements: object;
  manifest: { application: { activity: Record<string, unknown>[] }[] };
  privacy: { NSPrivacyAccessedAPITypes: object[] };
}

const root = join(__dirname, '../..');
const platforms = join(__dirname, 'platforms/node_modules');

const folder = aTemporaryFolder();
const app = join(folder, 'app');

/** Packs the SDK, and puts the package beside the real packages of the platforms. */
beforeAll(() => {
  const packages = join(app, 'node_modules');
  mkdirSync(packages, { recursive: true });
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'clients/app'), env, stdio: 'pipe' });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['xzf', join(folder, tarball!), '-C', folder]);
  cpSync(join(folder, 'package'), join(packages, 'signpost-client-app'), { recursive: true });
  for (const name of readdirSync(platforms)) symlinkSync(join(platforms, name), join(packages, name));
});

function compile(project: string, files: Record<string, string>): string[] {
  const at = join(app, project);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    customConditions: ['react-native'],
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    jsx: 'react-jsx',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitReturns: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: Object.keys(files) }));
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', at, '--pretty', 'false'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}

/** Returns the code blocks of a page that begin with the path of a file. */
const filesOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...readPage(`docs/apps/${page}.md`).matchAll(/^```tsx?\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(([, path, code]) => [
      path!,
      code!,
    ]),
  );

test.each([
  ['expo', 6],
  ['react-native', 2],
  ['capacitor', 1],
  ['cordova', 1],
])('the app of the page %s compiles against the packed package', (page, count) => {
  const files = filesOf(page);
  expect(Object.keys(files)).toHaveLength(count);
  expect(compile(page, files)).toEqual([]);
});

test('wrong calls do not compile', () => {
  const opening =
    "import { createSignpost } from 'signpost-client-app';\nimport { expo } from 'signpost-client-app/expo';\n";
  const storage = 'storage: { getItem: () => null, setItem: () => {} }';
  const files = {
    'hosts.ts': `${opening}createSignpost({ ...expo(), ${storage} });`,
    'option.ts': `${opening}createSignpost({ ...expo(), hosts: [], ${storage}, timeout: 3 });`,
    'both.ts': `${opening}createSignpost({ ...expo(), hosts: [], ${storage}, app: { bundleId: 'a', packageName: 'b', version: '1' } });`,
    'status.ts': `${opening}void createSignpost({ ...expo(), hosts: [], ${storage} }).claimDeferred().then(({ status }) => status === 'found');`,
  };
  const errors = compile('wrong', files);
  expect(Object.keys(files).filter((name) => !errors.some((error) => error.includes(name)))).toEqual([]);
});

test('the adapters compile with the real packages in the place of the declarations in peers.d.ts', () => {
  const sources = readdirSync(join(root, 'clients/app/src')).filter((name) => name !== 'peers.d.ts');
  expect(
    compile('adapters', Object.fromEntries(sources.map((name) => [name, readPage(`clients/app/src/${name}`)]))),
  ).toEqual([]);
});

describe('the config plugin', () => {
  /** Evaluates the configuration as `npx expo prebuild` does, in a process where the service knows two hosts. */
  function prebuild(options: object, config: object = {}) {
    const evaluate = `
      const { withPlugins, IOSConfig, AndroidConfig } = require('expo/config-plugins');
      globalThis.fetch = async (url) => {
        if (url.includes('offline')) throw new TypeError('fetch failed');
        return { status: /^https:\\/\\/summer(-open)?\\.go\\.example\\.com\\//.test(url) ? 200 : 404 };
      };
      const base = { name: 'Shop', slug: 'shop', ...${JSON.stringify(config)}, _internal: { projectRoot: process.cwd() } };
      const plugin = ['signpost-client-app', ${JSON.stringify(options)}];
      (async () => {
        let config = withPlugins(base, [plugin, plugin]);
        const files = {};
        const request = (platform) => ({ projectRoot: process.cwd(), platform, introspect: true });
        const ios = await config.mods.ios.entitlements({ ...config, modResults: {}, modRequest: { ...request('ios'), nextMod: async (one) => one } });
        const android = await config.mods.android.manifest({ ...config, modResults: { manifest: { application: [{ $: { 'android:name': '.MainApplication' }, activity: [
          { $: { 'android:name': '.MainActivity' }, 'intent-filter': [] }] }] } }, modRequest: { ...request('android'), nextMod: async (one) => one } });
        files.entitlements = IOSConfig.Entitlements.setAssociatedDomains(config, ios.modResults);
        files.manifest = AndroidConfig.IntentFilters.setAndroidIntentFilters(config, android.modResults).manifest;
        files.privacy = config.ios.privacyManifests;
        process.stdout.write(JSON.stringify(files));
      })().catch((error) => { process.stderr.write(error.message); process.exitCode = 1; });`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--eval', evaluate], {
      cwd: app,
      encoding: 'utf8',
    });
    return { status, stderr, files: stdout ? (JSON.parse(stdout) as Files) : null };
  }

  const hosts = ['summer.go.example.com', 'summer-open.go.example.com'];

  test('writes entitlements, verified intent filters and the privacy entry, once if it is evaluated twice', () => {
    const ios = { associatedDomains: ['applinks:summer.go.example.com?mode=developer', 'webcredentials:example.com'] };
    const { files, stderr } = prebuild({ hosts }, { ios });
    expect(stderr).toBe('');
    expect(files!.entitlements).toEqual({
      'com.apple.developer.associated-domains': [...ios.associatedDomains, 'applinks:summer-open.go.example.com'],
    });
    const [activity] = files!.manifest.application[0]!.activity;
    expect(activity!['intent-filter']).toEqual([
      {
        $: { 'android:autoVerify': 'true', 'data-generated': 'true' },
        action: [{ $: { 'android:name': 'android.intent.action.VIEW' } }],
        category: ['BROWSABLE', 'DEFAULT'].map((name) => ({
          $: { 'android:name': `android.intent.category.${name}` },
        })),
        data: hosts.map((host) => ({ $: { 'android:scheme': 'https', 'android:host': host } })),
      },
    ]);
    expect(files!.privacy.NSPrivacyAccessedAPITypes).toEqual([
      {
        NSPrivacyAccessedAPIType: 'NSPrivacyAccessedAPICategoryUserDefaults',
        NSPrivacyAccessedAPITypeReasons: ['CA92.1'],
      },
    ]);
  });

  test.each([
    [{ hosts: ['winter.go.example.com'] }, 'the service does not know the host winter.go.example.com'],
    [{ hosts: ['offline.example.com'] }, 'answers fetch failed'],
    [{ hosts: ['https://summer.go.example.com/'] }, 'is no host'],
    [{ hosts: ['Summer.go.example.com'] }, 'is no host'],
    [{ hosts: [] }, '`hosts` is missing'],
    [{}, '`hosts` is missing'],
  ])('refuses %j', (options, message) => {
    expect(prebuild(options)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
  });
});

test('the core runs in Hermes', async () => {
  const hermes = join(platforms, `hermes-engine-cli/${process.platform === 'darwin' ? 'osx' : 'linux64'}-bin/hermes`);
  if (!existsSync(hermes) || (process.platform === 'linux' && process.arch !== 'x64'))
    return console.log('Skipped: hermes-engine-cli has no Hermes for this machine.');
  const code = `${await bundleOf('index.ts', { format: 'iife' })}
    // Hermes alone runs timers at once.
    setTimeout = function () {};
    clearTimeout = function () {};
    var stored = {};
    var sent = [];
    function launch(referrer, getInitialURL) {
      return sdk.createSignpost({
        hosts: ['go.example.com'],
        app: { packageName: 'com.example.app', version: '1.0.0' },
        storage: { getItem: function (key) { return stored[key]; }, setItem: function (key, text) { stored[key] = text; } },
        links: { getInitialURL: getInitialURL, subscribe: function () { return function () {}; } },
        referrer: function () { return referrer; },
        fetch: function (url, init) {
          sent.push(url);
          var data = { path: /claim/.test(url) ? 'summer' : 'sale', full_url: 'https://go.example.com/summer' };
          return Promise.resolve({ status: 200, headers: { get: function () { return null; } }, json: function () { return Promise.resolve({ data: data }); } });
        },
      });
    }
    var app = launch('utm_source=a%20b&deferred_link=TTTTTTTTTTTTTTTTTTTTTT', function () { return null; });
    app.onLink(function (link) { print(link.type, link.route, link.late); });
    app.claimDeferred().then(function (result) {
      print(result.status, result.reason, sent.join());
      return launch(null, function () { return 'https://go.example.com/s4le?q=%C3%A4+b&x=1&x=2'; }).getInitialLink();
    }).then(function (link) { print(link.type, link.route, JSON.stringify(link.params)); });`;
  // Metro compiles every package for Hermes too.
  const compiled = transformSync(code, {
    jsc: { target: 'es5', parser: { syntax: 'ecmascript' } },
    isModule: false,
  }).code;
  const file = join(folder, 'hermes.js');
  writeFileSync(file, compiled);
  const output = execFileSync(hermes, ['-w', file], { encoding: 'utf8' });
  expect(output.trim().split('\n')).toEqual([
    'deferred /summer?utm_source=a%20b false',
    'claimed answered https://go.example.com/deferred-links/claim,https://go.example.com/links/first-launch',
    'direct /sale?q=%C3%A4%20b&x=1&x=2 {"q":"ä b","x":["1","2"]}',
  ]);
});
