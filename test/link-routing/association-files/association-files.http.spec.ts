import { aFingerprint, anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { sendRequest } from '../../support/raw-http';
import { aService, type TestService } from '../../support/service';

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
      ['"other", TAG', 304],
      ['"other"', 200],
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

    test.each(['POST', 'OPTIONS', 'PROPFIND'])('the method %s is not allowed', async (method) => {
      const { status, headers } = await fetchFile(path, {}, method);
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
    });

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
    ['/.well-known/assetlinks%2ejson', google],
    ['/.well-known/assetlinks.json?x=%', google],
    ['/apple-app-site-association?_via=page', apple],
  ])('%s is an equivalent path of a file', async (target, path) => {
    const { status, text } = await fetchFile(target);
    expect([status, JSON.parse(text)]).toEqual([200, fileOf(path)]);
  });

  test.each([
    '/.well-known/apple-app-site-association/',
    '/Apple-App-Site-Association',
    '/assetlinks.json',
    '/apple-app-site-association%00',
  ])('%s is not an association file', async (target) => {
    expect((await fetchFile(target)).status).toBe(404);
  });
});
