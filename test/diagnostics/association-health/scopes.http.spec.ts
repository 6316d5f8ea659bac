import type { AndroidApp, IosApp } from '../../../clients/typescript/src/index';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aVerifiedDomain, unique } from '../../support/builders';
import { DnsServer } from '../../support/dns-server';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { formatProblems, getHealth } from './get-health';

// Association health of the paths of apps, of the open host, and the lines for developers.

let dns: DnsServer;
let on: TestService;
let account: TestAccount;
let project: { id: string; subdomain: string };
let ios: IosApp;
let android: AndroidApp;
beforeAll(async () => {
  dns = await DnsServer.start();
  on = await aService({ LINK_BASE_URL: 'https://go.example.com', DNS_RESOLVERS: dns.address });
  account = await on.anAccount('enterprise');
});
beforeEach(async () => {
  project = await aProject(on, account.key);
  ios = await anIosApp(on, account.key, project.id, { name: 'Shop', bundle_id: 'com.example.shop' });
  android = await anAndroidApp(on, account.key, project.id, { name: 'Shop', package_name: 'com.example.shop' });
});
afterAll(async () => {
  await on.stop();
  await dns.stop();
});

const health = () => getHealth(on, account.key, project.id);
const put = (path: string, body: object) =>
  on.api('put', `/projects/${project.id}${path}`, account.key).send(body).expect(200);
const problemsOf = async () =>
  (await health()).problems
    .filter(({ code }) => code !== 'one_fingerprint')
    .map(({ code, message }) => [code, message]);

test('a link outside the paths of its app, or inside those of another, is a warning', async () => {
  const other = await anIosApp(on, account.key, project.id, { name: 'News' });
  await put(`/ios-apps/${ios.id}`, { paths: ['/shop/*'] });
  const link = (custom_path: string, app: IosApp | null) =>
    aDynamicLink(on, account.key, project.id, { custom_path, ios_app_id: app?.id });
  await link('shop/1', ios);
  await link('sale', other);
  await link('shop/none', null);
  expect(await problemsOf()).toEqual([]);
  await link('a', ios);
  await link('b', ios);
  await link('shop/2', other);
  expect(await problemsOf()).toEqual([
    ['link_outside_paths', 'Links of “Shop” outside its paths do not open it, such as /a.'],
    [
      'link_in_other_paths',
      'Inside the paths of “Shop” there are links of other apps, which open it too, such as /shop/2.',
    ],
  ]);
});

test('paths that other programs wrote are checked', async () => {
  await on.database.query("UPDATE android_apps SET paths = '{/a*b}' WHERE id = $1", [android.id]);
  expect(formatProblems(await health())).toContain('error malformed_paths android');
});

test('an App Clip of another app is a warning', async () => {
  await put(`/ios-apps/${ios.id}`, { app_clip_bundle_id: 'com.example.shop.Clip' });
  expect(await problemsOf()).toEqual([]);
  await put(`/ios-apps/${ios.id}`, { app_clip_bundle_id: 'com.example.shopClip' });
  expect(await problemsOf()).toEqual([
    ['app_clip_of_other_app', 'The app_clip_bundle_id of “Shop” does not begin with its bundle_id.'],
  ]);
});

test('a project without an open host has a warning, until a custom domain is one', async () => {
  await put('', { subdomain: unique('p').padEnd(60, 'x') });
  expect((await problemsOf()).map(([code]) => code)).toEqual(['no_open_host']);
  const { id } = await aVerifiedDomain(on, dns, account.key, project.id);
  await put(`/custom-domains/${id}`, { open_host: true });
  expect(await problemsOf()).toEqual([]);
  expect((await health()).hosts.map(({ kind }) => kind)).not.toContain('open_subdomain');
});

test('the checks have the hosts and apps of the project', async () => {
  await put(`/ios-apps/${ios.id}`, { shared_credentials: true, app_clip_bundle_id: 'com.example.shop.Clip' });
  const hosts = [`${project.subdomain}.go.example.com`, `${project.subdomain}-open.go.example.com`];
  const { checks } = await health();
  const textsOf = (platform: string, kind: string) =>
    checks.filter((check) => check.platform === platform && check.kind === kind).map(({ text }) => text);
  expect(textsOf('ios', 'entitlement')).toEqual(
    hosts.flatMap((host) => [
      `applinks:${host}`,
      `webcredentials:${host}`,
      `appclips:${host}`,
      `applinks:${host}?mode=developer`,
    ]),
  );
  expect(textsOf('ios', 'command')).toEqual(
    hosts.map((host) => `curl https://app-site-association.cdn-apple.com/a/v1/${host}`),
  );
  expect(textsOf('android', 'manifest')).toEqual(
    hosts.map((host) => `<data android:scheme="https" android:host="${host}" />`),
  );
  expect(textsOf('android', 'command')).toEqual([
    ...hosts.map(
      (host) =>
        `curl 'https://digitalassetlinks.googleapis.com/v1/statements:list?source.web.site=https://${host}&relation=delegate_permission/common.handle_all_urls&return_relation_extensions=true'`,
    ),
    'adb shell pm verify-app-links --re-verify com.example.shop',
    'adb shell pm get-app-links com.example.shop',
  ]);
});

test('the checks have no values that a shell would run, and are limited', async () => {
  await on.database.query("UPDATE android_apps SET package_name = 'a.b; reboot' WHERE id = $1", [android.id]);
  expect((await health()).checks.filter(({ platform }) => platform === 'android')).toEqual([]);
  await on.database.query(
    `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
     SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, '{}' FROM generate_series(1, 300) n`,
    [project.id],
  );
  expect((await health()).checks).toHaveLength(200);
});

test('a project without apps has no lines', async () => {
  const { id } = await aProject(on, account.key);
  expect((await getHealth(on, account.key, id)).checks).toEqual([]);
});
