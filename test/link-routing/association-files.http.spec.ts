import { appleAppSiteAssociation, assetLinks } from '../../src/link-routing/association-files';
import type { VisitedAndroidApp, VisitedIosApp, VisitedProject } from '../../src/link-routing/visited-link';
import type { Subdomain } from '../../src/links/projects/subdomain';
import { aFingerprint, anAndroidApp, anIosApp, aProject, unique } from '../support/builders';
import { aVisitedAndroidApp, aVisitedIosApp } from './builders';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { aService, type TestService } from '../support/service';

const aVisitedProject = (apps: { ios?: VisitedIosApp[]; android?: VisitedAndroidApp[] }): VisitedProject => ({
  id: '0198c0de-7e57-7000-8000-000000000001',
  subdomain: 'summer' as Subdomain,
  customDomain: null,
  opener: { subdomain: 'summer-open' as Subdomain, customDomain: null },
  visited: { subdomain: 'summer' as Subdomain, customDomain: null },
  visitedHostname: 'summer.go.example.com',
  longLinkDestinations: [],
  rootUrl: null,
  notFoundUrl: null,
  queryForwarding: 'all',
  forwardedParams: [],
  iosApps: new Map((apps.ios ?? []).map((app, at) => [`ios ${at}`, app])),
  androidApps: new Map((apps.android ?? []).map((app, at) => [`android ${at}`, app])),
});
const ios = (teamId: string, bundleId: string) => aVisitedIosApp({ teamId, bundleId });
const android = (packageName: string, ...fingerprints: string[]) =>
  aVisitedAndroidApp({ packageName, shaFingerprints: fingerprints });
const appleFile = (project: VisitedProject) => appleAppSiteAssociation(project).file;
const androidFile = (project: VisitedProject) => assetLinks(project).file;
/** All paths, except continuations from pages of this service. */
const components = [{ '/': '*', '?': { _via: '*page' }, exclude: true }, { '/': '*' }];
const statement = (packageName: string, ...fingerprints: string[]) => ({
  relation: ['delegate_permission/common.handle_all_urls'],
  target: { namespace: 'android_app', package_name: packageName, sha256_cert_fingerprints: fingerprints },
  relation_extensions: {
    'delegate_permission/common.handle_all_urls': {
      dynamic_app_link_components: [
        { '/': '*', '?': { _via: 'page' }, exclude: true },
        { '/': '*', '?': { _via: 'browser-page' }, exclude: true },
        { '/': '*' },
      ],
    },
  },
});

describe('the association file', () => {
  test.each<[string, VisitedIosApp[], object[]]>([
    ['no app', [], []],
    ['one app', [ios('ABCDE12345', 'com.example.a')], [{ appIDs: ['ABCDE12345.com.example.a'], components }]],
    [
      'several apps, in their order',
      [ios('ZZZZZ99999', 'com.example.b'), ios('ABCDE12345', 'com.example.A')],
      [{ appIDs: ['ZZZZZ99999.com.example.b', 'ABCDE12345.com.example.A'], components }],
    ],
    [
      'an app twice',
      [ios('ABCDE12345', 'com.example.a'), ios('ABCDE12345', 'com.example.a'), ios('ZZZZZ99999', 'com.example.a')],
      [{ appIDs: ['ABCDE12345.com.example.a', 'ZZZZZ99999.com.example.a'], components }],
    ],
  ])('for Apple lists the apps of a project with %s', (_, apps, details) => {
    const { json } = appleFile(aVisitedProject({ ios: apps, android: [android('com.example.a', 'AA')] }));
    expect(JSON.parse(json)).toEqual({ applinks: { details } });
  });

  test.each<[string, VisitedAndroidApp[], object[]]>([
    ['no app', [], []],
    ['one app', [android('com.example.a', 'AA', 'BB')], [statement('com.example.a', 'AA', 'BB')]],
    [
      'several apps, in their order',
      [android('com.example.b', 'BB'), android('com.example.a', 'AA')],
      [statement('com.example.b', 'BB'), statement('com.example.a', 'AA')],
    ],
    [
      'an app without fingerprints',
      [android('com.example.b'), android('com.example.a', 'AA')],
      [statement('com.example.a', 'AA')],
    ],
    ['only apps without fingerprints', [android('com.example.a')], []],
  ])('for Android lists the apps of a project with %s', (_, apps, statements) => {
    const { json } = androidFile(aVisitedProject({ android: apps, ios: [ios('ABCDE12345', 'com.example.a')] }));
    expect(JSON.parse(json)).toEqual(statements);
  });

  test('has a strong entity tag that depends only on its content', () => {
    const tags = [[], [ios('ABCDE12345', 'a.b')], [ios('ABCDE12345', 'a.b')], [ios('ABCDE12345', 'a.c')]].map(
      (apps) => appleFile(aVisitedProject({ ios: apps })).tag,
    );
    expect(tags[1]).toMatch(/^"[A-Za-z0-9_-]{27}"$/);
    expect(tags[1]).toBe(tags[2]);
    expect(new Set(tags).size).toBe(3);
  });
});

describe('over HTTP', () => {
  const paths = [
    '/.well-known/apple-app-site-association',
    '/apple-app-site-association',
    '/.well-known/assetlinks.json',
  ] as const;
  const [apple, , google] = paths;

  let on: TestService;
  let key: string;
  let host: string;
  let appId: string;
  let packageName: string;
  beforeAll(async () => {
    on = await aService({ RATE_LIMIT_PER_MINUTE: '20' });
    ({ key } = await on.anAccount('enterprise'));
    const project = await aProject(on, key);
    host = `${project.subdomain}.localhost`;
    const iosApp = await anIosApp(on, key, project.id);
    appId = `${iosApp.team_id}.${iosApp.bundle_id}`;
    packageName = (await anAndroidApp(on, key, project.id, { sha_fingerprints: [aFingerprint(1), aFingerprint(2)] }))
      .package_name;
  });
  afterAll(() => on.stop());

  const fetchFile = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    sendRequest(on.url, `${method} ${path}`, { Host: host, ...headers });

  const fileOf = (path: string): unknown =>
    path === google
      ? [statement(packageName, aFingerprint(1), aFingerprint(2))]
      : { applinks: { details: [{ appIDs: [appId], components }] } };

  test.each(paths)('%s is JSON, without redirect, rate limit or credential', async (path) => {
    // More requests than the rate limit allows.
    for (let round = 0; round < 25; round++) {
      const { status, headers, text } = await fetchFile(path);
      expect([status, JSON.parse(text)]).toEqual([200, fileOf(path)]);
      expect(headers).toEqual({
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
        'cache-control': 'public, max-age=300',
        etag: expect.stringMatching(/^"[A-Za-z0-9_-]+"$/),
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
        date: expect.any(String),
        connection: 'close',
      });
    }
  });

  test.each(paths)('a HEAD request for %s returns the headers of the GET', async (path) => {
    const [get, head] = await Promise.all([fetchFile(path), fetchFile(path, {}, 'HEAD')]);
    const comparable = ({ date: _, 'x-request-id': __, ...rest }: Record<string, string>) => rest;
    expect([head.status, head.text]).toEqual([200, '']);
    expect(comparable(head.headers)).toEqual(comparable(get.headers));
  });

  describe.each(paths)('%s', (path) => {
    test.each<[string, number]>([
      ['TAG', 304],
      ['W/TAG', 304],
      ['*', 304],
      ['"other", TAG', 304],
      ['W/"other",W/TAG , "x"', 304],
      ['"other"', 200],
      ['"other", W/"x"', 200],
      ['', 200],
      ['nothing of the kind', 200],
      ['"', 200],
    ])('If-None-Match %s returns %d', async (given, status) => {
      const tag = (await fetchFile(path)).headers['etag']!;
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetchFile(path, { 'If-None-Match': given.replace('TAG', tag) }, method);
        expect(answer.status).toBe(status);
        expect(answer.headers).toMatchObject({ etag: tag, 'cache-control': 'public, max-age=300' });
        if (status === 304) {
          expect(answer.text).toBe('');
          expect(answer.headers).not.toHaveProperty('content-type');
        }
      }
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
      'the method %s is not allowed',
      async (method) => {
        const { status, headers } = await fetchFile(path, {}, method);
        expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
      },
    );

    test('a host without a project returns 404', async () => {
      for (const other of ['nobody-has-this.localhost', `x.${host}`, 'xn--summer.localhost', '.localhost']) {
        const { status, headers } = await fetchFile(path, { Host: other });
        expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
      }
      expect(await fetchFile(path, { Host: 'localhost' })).toBeRefusedWith('NOT_FOUND');
    });

    test('a project without apps has an empty file', async () => {
      const bare = await aProject(on, (await on.anAccount('enterprise')).key);
      const { status, headers, body } = await fetchFile(path, { Host: `${bare.subdomain}.localhost` });
      expect([status, headers['content-type']]).toEqual([200, 'application/json']);
      expect(body).toEqual(path === google ? [] : { applinks: { details: [] } });
    });
  });

  test.each([
    ['/%2Ewell-known/apple-app-site-association', apple],
    ['/.well-known%2Fapple-app-site-association', apple],
    ['/%61pple-app-site-association', apple],
    ['/.well-known/assetlinks%2ejson', google],
    ['/.well-known/assetlinks.json?x=%', google],
    ['/apple-app-site-association?_via=page', apple],
  ])('%s is an equivalent path of a file', async (target, path) => {
    const { status, text } = await fetchFile(target);
    expect([status, JSON.parse(text)]).toEqual([200, fileOf(path)]);
  });

  test.each([
    '/.well-known/apple-app-site-association/',
    '//apple-app-site-association',
    '/Apple-App-Site-Association',
    '/assetlinks.json',
    '/.well-known/../apple-app-site-association',
    '/./apple-app-site-association',
    '/apple-app-site-association%00',
    '/apple-app-site-association%20',
    '/apple-app-site-association.json',
    '/.well-known',
  ])('%s is not an association file', async (target) => {
    expect((await fetchFile(target)).status).toBe(404);
  });

  describe('both services show a changed app', () => {
    let second: TestService;
    beforeAll(async () => {
      second = await aService({}, on.database);
      // Files are also built again after a minute, which would hide a lost change.
      for (const { clock } of [on, second]) clock.stop();
    });
    afterAll(async () => {
      on.clock.goOn();
      await second.stop();
    });

    const shows = async (path: string, of: string, expected: unknown) => {
      for (const service of [on, second])
        await eventually(async () => {
          const { body } = await sendRequest(service.url, `GET ${path}`, { Host: `${of}.localhost` });
          return JSON.stringify(body) === JSON.stringify(expected);
        });
    };

    test('in the file for Apple', async () => {
      const owner = (await on.anAccount('enterprise')).key;
      const project = await aProject(on, owner);
      const showsIds = (...appIDs: string[]) =>
        shows(apple, project.subdomain, {
          applinks: { details: appIDs.length > 0 ? [{ appIDs, components }] : [] },
        });
      await showsIds();
      const app = await anIosApp(on, owner, project.id, { bundle_id: 'com.example.first', team_id: 'AAAAA11111' });
      await showsIds('AAAAA11111.com.example.first');
      const url = `/projects/${project.id}/ios-apps/${app.id}`;
      await on.api('put', url, owner).send({ bundle_id: 'com.example.second', team_id: 'BBBBB22222' }).expect(200);
      await showsIds('BBBBB22222.com.example.second');
      await anIosApp(second, owner, project.id, { bundle_id: 'com.example.third', team_id: 'CCCCC33333' });
      await showsIds('BBBBB22222.com.example.second', 'CCCCC33333.com.example.third');
      await second.api('delete', url, owner).expect(200);
      await showsIds('CCCCC33333.com.example.third');
    });

    test('in the file for Android', async () => {
      const owner = (await on.anAccount('enterprise')).key;
      const project = await aProject(on, owner);
      const name = `com.example.${unique('app').replaceAll('-', '_')}`;
      await shows(google, project.subdomain, []);
      const app = await anAndroidApp(second, owner, project.id, {
        package_name: name,
        sha_fingerprints: [aFingerprint(1)],
      });
      await shows(google, project.subdomain, [statement(name, aFingerprint(1))]);
      const url = `/projects/${project.id}/android-apps/${app.id}`;
      const change = (fields: Record<string, unknown>) => on.api('put', url, owner).send(fields).expect(200);
      await change({ sha_fingerprints: [aFingerprint(2).toLowerCase(), aFingerprint(3)] });
      await shows(google, project.subdomain, [statement(name, aFingerprint(2), aFingerprint(3))]);
      await change({ sha_fingerprints: [] });
      await shows(google, project.subdomain, []);
      await change({ sha_fingerprints: [aFingerprint(4)] });
      await shows(google, project.subdomain, [statement(name, aFingerprint(4))]);
      await on.api('delete', url, owner).expect(200);
      await shows(google, project.subdomain, []);
    });

    test('and no file after the deletion of the project', async () => {
      const owner = (await on.anAccount('enterprise')).key;
      const project = await aProject(on, owner);
      await shows(google, project.subdomain, []);
      await second.api('delete', `/projects/${project.id}`, owner).expect(200);
      for (const service of [on, second])
        await eventually(async () => (await service.visit(project.subdomain, apple)).status === 404);
    });
  });
});
