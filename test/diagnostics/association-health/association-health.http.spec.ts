import {
  aCustomDomain,
  anAndroidApp,
  anIosApp,
  aProject,
  aVerifiedDomain,
  aDynamicLink,
  unique,
} from '../../support/builders';
import { settledStateOf, stateOf } from '../../support/content';
import { DnsServer } from '../../support/dns-server';
import { sendRequest } from '../../support/raw-http';
import { aService } from '../../support/service';
import { getHealth, formatProblems, type Health } from './get-health';
import type { AndroidApp, IosApp } from '../../../clients/typescript/src/index';
import { fixture, serviceFixture } from '../../support/fixtures';

const fingerprint = (pair: string): string => Array.from({ length: 32 }, () => pair).join(':');
const dns = fixture(() => DnsServer.start());
const bases = { LINK_BASE_URL: 'https://go.example.com', API_BASE_URL: 'https://api.example.net' };
const on = serviceFixture(() => ({ DNS_RESOLVERS: dns.address, ...bases }));
const account = fixture(() => on.anAccount('enterprise'));

const health = (projectId: string, query = '') => getHealth(on, account.key, projectId, query);
const newProject = () => aProject(on, account.key);

test('a project with an app of each kind is healthy, and its files equal the served ones', async () => {
  const project = await newProject();
  await anIosApp(on, account.key, project.id);
  await anIosApp(on, account.key, project.id, { name: 'Another' });
  await anAndroidApp(on, account.key, project.id, { sha_fingerprints: [fingerprint('AB'), fingerprint('CD')] });
  await anAndroidApp(on, account.key, project.id, { sha_fingerprints: [fingerprint('ab'), fingerprint('CD')] });
  const found = await health(project.id);
  expect(found).toMatchObject({ healthy: true, probed_at: null, problems_total: 0, problems: [] });
  const common = { answers: true, probed: null, certificate_expires_at: null };
  expect(found.hosts).toEqual([
    { ...common, host: `${project.subdomain}.go.example.com`, kind: 'subdomain', current: true },
    { ...common, host: `${project.subdomain}-open.go.example.com`, kind: 'open_subdomain', current: false },
  ]);
  for (const file of found.files)
    for (const { host } of found.hosts) {
      const served = await sendRequest(on.url, `GET ${file.path}`, { Host: host });
      expect([served.headers['etag'], Buffer.byteLength(served.text)]).toEqual([file.etag, file.bytes]);
    }
  expect(found.files.map(({ platform }) => platform)).toEqual(['ios', 'android']);
});

test('a project without apps has two warnings', async () => {
  const project = await newProject();
  const found = await health(project.id);
  expect(formatProblems(found)).toEqual(['warning no_ios_app ios', 'warning no_android_app android']);
  expect(found).toMatchObject({ healthy: true, checks: [] });
});

test.each<[string, string, string[]]>([
  ["team_id = 'abc'", 'ios_apps', ['error malformed_team_id ios']],
  ["bundle_id = ''", 'ios_apps', ['error malformed_bundle_id ios']],
  ["bundle_id = team_id || '.com.example'", 'ios_apps', ['error malformed_bundle_id ios']],
  ["package_name = 'shop'", 'android_apps', ['error malformed_package_name android']],
  ["sha_fingerprints = '{}'", 'android_apps', ['error no_fingerprints android']],
  [`sha_fingerprints = '{${fingerprint('AB')}}'`, 'android_apps', ['hint one_fingerprint android']],
  [
    `sha_fingerprints = '{${fingerprint('ab')}}'`,
    'android_apps',
    ['error malformed_fingerprint android', 'hint one_fingerprint android'],
  ],
  [
    `sha_fingerprints = '{AB:CD,${fingerprint('CD')},${fingerprint('CDE')}}'`,
    'android_apps',
    ['error malformed_fingerprint android'],
  ],
])('an incomplete app with %s in %s has the expected problems', async (change, table, expected) => {
  const project = await newProject();
  const ios = await anIosApp(on, account.key, project.id);
  const android = await anAndroidApp(on, account.key, project.id, {
    sha_fingerprints: [fingerprint('AB'), fingerprint('CD')],
  });
  await on.database.query(`UPDATE ${table} SET ${change} WHERE project_id = $1`, [project.id]);
  const found = await health(project.id);
  expect(formatProblems(found)).toEqual(expected);
  const id = table === 'ios_apps' ? ios.id : android.id;
  expect(found.problems.every(({ app_id }) => app_id === id)).toBe(true);
  expect(found.healthy).toBe(!expected[0]!.startsWith('error'));
  for (const { message, remedy, rule } of found.problems) {
    expect([message, remedy]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
    expect(rule).toMatch(/^https:\/\/(developer\.apple\.com|developer\.android\.com|developers\.google\.com)\//);
  }
});

test('a file one app above the size limit is an error', async () => {
  const project = await newProject();
  await anAndroidApp(on, account.key, project.id, { sha_fingerprints: [fingerprint('AB'), fingerprint('CD')] });
  const insert = (count: number) =>
    on.database.query(
      `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id)
       SELECT gen_random_uuid(), $1, 'App', 'com.example.' || lpad(n::text, 20, '0'), 'ABCDE12345' FROM generate_series(1, $2) n`,
      [project.id, count],
    );
  // 46 bytes per app: eleven for the team id and a dot, 32 for the bundle id, two quotes, and a comma.
  const bytes = async () => (await health(project.id)).files[0]!.bytes;
  await insert(2);
  const start = (await bytes()) - 2 * 46;
  const maxApps = Math.floor((128_000 - start) / 46);
  await on.database.query('DELETE FROM ios_apps WHERE project_id = $1', [project.id]);
  await insert(maxApps);
  expect(formatProblems(await health(project.id))).toEqual([]);
  await on.database.query(
    `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id) VALUES (gen_random_uuid(), $1, 'A', 'com.example.${'9'.repeat(21)}', 'ABCDE12345')`,
    [project.id],
  );
  const found = await health(project.id);
  expect(formatProblems(found)).toEqual(['error file_too_large ios']);
  expect(found.problems[0]!.rule).toContain('UniversalLinks');
});

test('many problems are truncated to the most severe, with their total', async () => {
  const project = await newProject();
  await anIosApp(on, account.key, project.id);
  await on.database.query(
    `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
     SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, CASE n WHEN 600 THEN '{}' ELSE ARRAY[$2] END FROM generate_series(1, 600) n`,
    [project.id, fingerprint('AB')],
  );
  const found = await health(project.id);
  expect([found.problems_total, found.problems.length]).toEqual([600, 500]);
  expect(found.problems[0]!.code).toBe('no_fingerprints');
});

test('the answer lists all hosts of the project, the current one first', async () => {
  const project = await newProject();
  const renamed = { subdomain: `${project.subdomain}-new` };
  await on.api('put', `/projects/${project.id}`, account.key).send(renamed).expect(200);
  const active = await aVerifiedDomain(on, dns, account.key, project.id, { active: true });
  const lost = await aVerifiedDomain(on, dns, account.key, project.id);
  const pending = await aCustomDomain(on, account.key, project.id);
  await on.database.query(`UPDATE custom_domains SET record_missing_since = now() WHERE id = $1`, [lost.id]);
  const found = await health(project.id);
  const hosts = found.hosts.map(({ host, kind, current, answers }) => [host, kind, current, answers]);
  expect(hosts[0]).toEqual([active.hostname, 'custom_domain', true, true]);
  expect(hosts).toHaveLength(6);
  expect(hosts).toEqual(
    expect.arrayContaining([
      [`${project.subdomain}-new.go.example.com`, 'subdomain', false, true],
      [`${project.subdomain}.go.example.com`, 'former_subdomain', false, true],
      [`${project.subdomain}-new-open.go.example.com`, 'open_subdomain', false, true],
      [lost.hostname, 'custom_domain', false, true],
      [pending.hostname, 'custom_domain', false, false],
    ]),
  );
  expect(formatProblems(found).filter((one) => one.includes('domain'))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^warning domain_record_missing /),
      `warning domain_not_verified ${pending.hostname}`,
    ]),
  );
});

test('a host that phones cannot use is an error', async () => {
  const plain = await aService();
  try {
    const { key } = await plain.anAccount();
    const project = await aProject(plain, key);
    const found = await getHealth(plain, key, project.id, '?probe=true');
    const host = `${project.subdomain}.localhost:3000`;
    expect(formatProblems(found).slice(0, 2)).toEqual([`error not_https ${host}`, `error host_not_public ${host}`]);
    expect(found.hosts[0]!.probed).toBeNull();
  } finally {
    await plain.stop();
  }
});

test('a check without probe sends no request and changes nothing', async () => {
  const project = await newProject();
  const before = await settledStateOf(on.database);
  const asked = dns.queriedNames.length;
  await health(project.id);
  await getHealth(on, account.key, project.id, '?probe=false');
  expect(dns.queriedNames).toHaveLength(asked);
  expect(await stateOf(on.database)).toEqual(before);
});

test('hosts of released versions on which the project does not answer are warnings', async () => {
  const project = await newProject();
  const app = await anIosApp(on, account.key, project.id);
  const served = `${project.subdomain}.go.example.com`;
  const release = async (version: string, hosts: string[], retired = false) =>
    on
      .api('post', `/projects/${project.id}/ios-apps/${app.id}/releases`, account.key)
      .send({ version, hosts, retired })
      .expect(201);
  await release('1.0', ['gone.example.com'], true);
  await release('1.1', [served, '*.example.org', 'missing.example.com']);
  const releasesIn = (found: Health) => formatProblems(found).filter((problem) => problem.includes('release'));
  expect(releasesIn(await health(project.id))).toEqual(['warning released_host_not_served ios missing.example.com']);
  expect(releasesIn(await health(project.id, '?app_version=1.0'))).toEqual([
    'warning released_host_not_served ios gone.example.com',
  ]);
  expect(releasesIn(await health(project.id, '?app_version=2.0'))).toEqual(['hint release_not_recorded']);
  expect(releasesIn(await health(project.id, '?platform=android'))).toEqual([]);
  const path = `/projects/${project.id}/ios-apps/${app.id}`;
  await on.api('put', path, account.key).send({ bundle_id: 'com.example.renamed' }).expect(200);
  expect(releasesIn(await health(project.id, '?app_version=1.1'))).toEqual([
    'warning released_host_not_served ios missing.example.com',
    'warning released_app_changed ios',
  ]);
});

describe('paths of apps, open hosts, and lines for developers', () => {
  let project: { id: string; subdomain: string };
  let ios: IosApp;
  let android: AndroidApp;
  beforeEach(async () => {
    project = await newProject();
    ios = await anIosApp(on, account.key, project.id, { name: 'Shop', bundle_id: 'com.example.shop' });
    android = await anAndroidApp(on, account.key, project.id, { name: 'Shop', package_name: 'com.example.shop' });
  });

  const put = (path: string, body: object) =>
    on.api('put', `/projects/${project.id}${path}`, account.key).send(body).expect(200);
  const problemsOf = async () =>
    (await health(project.id)).problems
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
    expect(formatProblems(await health(project.id))).toContain('error malformed_paths android');
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
    expect((await health(project.id)).hosts.map(({ kind }) => kind)).not.toContain('open_subdomain');
  });

  test('the checks have the hosts and apps of the project', async () => {
    await put(`/ios-apps/${ios.id}`, { shared_credentials: true, app_clip_bundle_id: 'com.example.shop.Clip' });
    const hosts = [`${project.subdomain}.go.example.com`, `${project.subdomain}-open.go.example.com`];
    const { checks } = await health(project.id);
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
    expect((await health(project.id)).checks.filter(({ platform }) => platform === 'android')).toEqual([]);
    await on.database.query(
      `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
     SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, '{}' FROM generate_series(1, 300) n`,
      [project.id],
    );
    expect((await health(project.id)).checks).toHaveLength(200);
  });
});
