import { assetLinksFormat } from '../../../src/link-paths/association-files/asset-links';
import { fileBytes, maxFileBytes } from '../../../src/link-paths/association-files/association-file';
import { aFingerprint, anAndroidApp, anIosApp, aProject, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { fixtureOfEach, serviceFixture } from '../../support/fixtures';
import { problem } from '../../support/problem';

const perProject = 4;

type AndroidCredentials = Parameters<typeof assetLinksFormat.contentOf>[0][number];

const on = serviceFixture({ APPS_PER_PROJECT: String(perProject) });
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key));

const androidBody = (fields: object = {}) => ({
  name: 'An Android app',
  package_name: `com.example.${unique('app').replaceAll('-', '_')}`,
  sha_fingerprints: [aFingerprint(0)],
  ...fields,
});
const iosBody = () => ({ name: 'An iOS app', bundle_id: `com.example.${unique('app')}`, team_id: 'ABCDE12345' });
const create = (kind: 'ios-apps' | 'android-apps', body: object) =>
  on.api('post', `/projects/${project.id}/${kind}`, account.key).send(body);

/** Holds back all writes of apps until several requests wait, so that each has counted what it counts before its write. */
async function together<T>(requests: () => PromiseLike<T>[]): Promise<T[]> {
  let responses: Promise<T[]> | undefined;
  await withTransaction(on.database, async (other) => {
    await other.query('LOCK TABLE ios_apps, android_apps IN SHARE MODE');
    responses = Promise.all(requests());
    await untilLocked(on.database, '', 3);
    await other.query('COMMIT');
  });
  return responses!;
}

describe('APPS_PER_PROJECT', () => {
  const reached = { limit: perProject, used: perProject, current_plan: 'enterprise', required_plan: null };

  test('counts iOS and Android apps together, and refuses before it checks names', async () => {
    const { key } = account;
    const ios = await anIosApp(on, key, project.id);
    await anIosApp(on, key, project.id);
    const android = await anAndroidApp(on, key, project.id);
    await anAndroidApp(on, key, project.id);
    for (const body of [iosBody(), { ...iosBody(), bundle_id: ios.bundle_id }])
      expect(await changingNothing(on, () => create('ios-apps', body))).toBeRefusedWith('ACCESS_DENIED', reached);
    for (const body of [androidBody(), androidBody({ package_name: android.package_name })])
      expect(await changingNothing(on, () => create('android-apps', body))).toBeRefusedWith('ACCESS_DENIED', reached);
    await on.api('delete', `/projects/${project.id}/ios-apps/${ios.id}`, key).expect(200);
    await anAndroidApp(on, key, project.id);
    expect(await create('ios-apps', iosBody())).toBeRefusedWith('ACCESS_DENIED', reached);
  });

  test('is exact for concurrent requests on both platforms', async () => {
    for (let at = 1; at < perProject; at++) await anIosApp(on, account.key, project.id);
    const responses = await together(() =>
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0 ? create('ios-apps', iosBody()) : create('android-apps', androidBody()),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 403)]);
  });
});

describe('the size of an association file', () => {
  const roomy = serviceFixture({ APPS_PER_PROJECT: '1000' }, () => on.database);

  const full = { limit: maxFileBytes, current_plan: 'enterprise', required_plan: null };
  const fingerprints = (count: number) => Array.from({ length: count }, (_, at) => aFingerprint(at));
  const credentials = (packageName: string, count: number): AndroidCredentials => ({
    packageName,
    shaFingerprints: fingerprints(count),
    paths: null,
    sharedCredentials: false,
  });
  const url = (kind: string, id = '') => `/projects/${project.id}/${kind}/${id}`;
  const served = async (file: string) =>
    Number((await roomy.visit(project.subdomain, `/.well-known/${file}`).expect(200)).headers['content-length']);

  /** Stores Android apps that fill all but some thousand bytes of the file. */
  async function storeAndroidApps(): Promise<AndroidCredentials[]> {
    const apps = Array.from({ length: 24 }, (_, at) => credentials(`com.example.stored${at}`, 50));
    for (const { packageName, shaFingerprints } of apps)
      await on.database.query(
        `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
         VALUES (gen_random_uuid(), $1, 'Stored', $2, $3)`,
        [project.id, packageName, shaFingerprints],
      );
    return apps;
  }

  /** Returns an app with which the file has `bytes` bytes. */
  function appThatFills(bytes: number, stored: AndroidCredentials[]): AndroidCredentials {
    const missing = (app: AndroidCredentials) => bytes - fileBytes(assetLinksFormat, [...stored, app]);
    let count = 1;
    while (missing(credentials('a.b', count + 1)) >= 0) count++;
    return credentials(`a.${'b'.repeat(1 + missing(credentials('a.b', count)))}`, count);
  }

  const bodyOf = ({ packageName, shaFingerprints }: AndroidCredentials) =>
    androidBody({ package_name: packageName, sha_fingerprints: shaFingerprints });

  test('of Android is checked when credentials change, and other changes pass', async () => {
    const stored = await storeAndroidApps();
    const { id } = await anAndroidApp(roomy, account.key, project.id, { package_name: 'a.b' });
    const update = (fields: object) => roomy.api('put', url('android-apps', id), account.key).send(fields);
    const larger = appThatFills(maxFileBytes + 1, stored);
    const beyond = { ...full, used: expect.any(Number) as number };
    for (const fields of [bodyOf(larger), { package_name: larger.packageName, sha_fingerprints: fingerprints(50) }])
      expect(await changingNothing(on, () => update(fields))).toBeRefusedWith('ACCESS_DENIED', beyond);
    await update(bodyOf(appThatFills(maxFileBytes, stored))).expect(200);
    await update({ name: 'Renamed' }).expect(200);
    const longer = await changingNothing(on, () => update({ package_name: `${larger.packageName}b` }));
    expect(longer).toBeRefusedWith('ACCESS_DENIED', { ...full, used: maxFileBytes });
    await update({ sha_fingerprints: [] }).expect(200);
  });

  test('of iOS is limited too', async () => {
    await on.database.query(
      `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id)
       SELECT gen_random_uuid(), $1, 'Stored', rpad('com.example.' || n || '.', 155, 'x'), 'ABCDE12345'
       FROM generate_series(1, 755) n`,
      [project.id],
    );
    const post = () =>
      roomy.api('post', url('ios-apps'), account.key).send({ ...iosBody(), bundle_id: unique('x'.repeat(150)) });
    let response = await post();
    for (let created = 0; response.status === 201 && created < 5; created++) response = await post();
    expect(response).toBeRefusedWith('ACCESS_DENIED', { ...full, used: await served('apple-app-site-association') });
    expect(await served('apple-app-site-association')).toBeGreaterThan(maxFileBytes - 170);
  });

  test('of Android may reach the limit, and one of concurrent new apps does', async () => {
    const stored = await storeAndroidApps();
    const { packageName, shaFingerprints } = appThatFills(maxFileBytes, stored);
    const responses = await together(() =>
      Array.from({ length: 10 }, (_, at) =>
        roomy
          .api('post', url('android-apps'), account.key)
          .send(androidBody({ package_name: `${packageName.slice(0, -1)}${at}`, sha_fingerprints: shaFingerprints })),
      ),
    );
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(9);
    for (const response of refused) expect(response).toBeRefusedWith('ACCESS_DENIED', { ...full, used: maxFileBytes });
    expect(await served('assetlinks.json')).toBe(maxFileBytes);
  });
});

const valid = { name: 'Shop', bundle_id: 'com.acme.app', team_id: 'ABCDE12345' };
const anIos = (body: object) => create('ios-apps', { ...valid, ...body });
const anApp = async (body: object): Promise<string> =>
  `/projects/${project.id}/ios-apps/${(await anIos(body)).body.data.id}`;

test.each([
  ['bundle_id', { bundle_id: 'ABCDE12345.com.acme.app' }, 'com.acme.app'],
  ['bundle_id', { bundle_id: 'abcde12345.com.acme.app' }, 'com.acme.app'],
  ['app_clip_bundle_id', { app_clip_bundle_id: 'ABCDE12345.com.acme.app.Clip' }, 'com.acme.app.Clip'],
])('%s must not start with the team_id: %j', async (field, sent, rest) => {
  const details = [
    { ...problem('invalid_format', field), message: `${field} must not start with the team_id; send ${rest}` },
  ];
  const created = await anIos(sent);
  expect(created).toBeRefusedWith('INVALID_INPUT', details);
  const app = await anApp({});
  expect(await on.api('put', app, account.key).send(sent)).toBeRefusedWith('INVALID_INPUT', details);
  const otherTeam = await anApp({ bundle_id: 'com.acme.other', ...sent, team_id: 'ZYXWV98765' });
  const moved = await on.api('put', otherTeam, account.key).send({ team_id: 'ABCDE12345' });
  expect(moved).toBeRefusedWith('INVALID_INPUT', details);
  expect((await on.api('put', otherTeam, account.key).send({ shared_credentials: true })).status).toBe(200);
});

test('a part of a bundle id may look like a team id', async () => {
  for (const bundleId of ['ABCDE12345', 'com.ABCDE12345.app', 'ABCDE123456.app', 'ZYXWV98765.com.acme.app'])
    expect((await anIos({ bundle_id: bundleId })).status).toBe(201);
});

test('sha_fingerprints cannot be empty on create', async () => {
  const created = await create('android-apps', androidBody({ sha_fingerprints: [] }));
  expect(created).toBeRefusedWith('INVALID_INPUT', [problem('too_small', 'sha_fingerprints')]);
});
