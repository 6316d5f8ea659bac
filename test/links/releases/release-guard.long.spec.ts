import { ReleaseRetirement } from '../../../src/links/releases/release-retirement';
import {
  aDynamicLink,
  aFingerprint,
  anAndroidApp,
  anIosApp,
  aProject,
  aVerifiedDomain,
  type ProjectBody,
  unique,
  updated,
} from '../../support/builders';
import { changingNothing } from '../../support/content';
import { accountFixture, dnsFixture, serviceFixture } from '../../support/fixtures';

const dns = dnsFixture();
const on = serviceFixture(() => ({ DNS_RESOLVERS: dns.address }));
const owner = accountFixture(on);

type Method = 'get' | 'post' | 'put' | 'delete';
type Change = [method: Method, path: string, body?: object];

interface Shop {
  project: ProjectBody;
  former: string;
  domainId: string;
  iosId: string;
  androidId: string;
  otherIosId: string;
  linkId: string;
  android: { version: string; id: string };
}

/** Creates a project with a former subdomain, an active domain, two released apps and a link. */
async function aShop(): Promise<Shop> {
  const { key } = owner;
  const former = unique('former');
  const { id } = await aProject(on, key, { subdomain: former });
  const project = await updated<ProjectBody>(on, key, `/projects/${id}`, { subdomain: unique('shop') });
  const domain = await aVerifiedDomain(on, dns, key, id, { active: true });
  const ios = await anIosApp(on, key, id);
  const android = await anAndroidApp(on, key, id, { sha_fingerprints: [aFingerprint(1), aFingerprint(2)] });
  const otherIos = await anIosApp(on, key, id);
  const link = await aDynamicLink(on, key, id, { custom_path: 'shoe', external_id: 'shoe', ios_app_id: ios.id });
  const body = { hosts: [domain.hostname, `${former}.localhost`] };
  await record(id, `ios-apps/${ios.id}`, { ...body, version: '1.2.3' });
  const released = await record(id, `android-apps/${android.id}`, { ...body, version: '1.3.0' });
  return {
    project,
    former,
    domainId: domain.id,
    iosId: ios.id,
    androidId: android.id,
    otherIosId: otherIos.id,
    linkId: link.id,
    android: released,
  };
}

async function record(projectId: string, app: string, body: object): Promise<{ id: string; version: string }> {
  const answer = await on.api('post', `/projects/${projectId}/${app}/releases`, owner.key).send(body).expect(201);
  return answer.body.data as { id: string; version: string };
}

const send = ({ project }: Shop, [method, path, body]: Change, query = '') => {
  const request = on.api(method, `/projects/${project.id}${path}${query}`, owner.key);
  return body ? request.send(body) : request;
};

const guardBy = (shop: Shop, release_guard: string) => send(shop, ['put', '', { release_guard }]).expect(200);

/** Returns the request that undoes the last change of a type. */
async function restorationOf(shop: Shop, type: string): Promise<Change> {
  const history = await send(shop, ['get', `/history?type=${type}`]).expect(200);
  const [{ sequence }] = history.body.data as [{ sequence: number }];
  return ['post', `/history/${sequence}/restore`, {}];
}

const otherApp = { name: 'Other', bundle_id: 'com.example.added', team_id: 'ABCDE12345' };
const made = ([method]: Change): number => (method === 'post' ? 201 : 200);

const oneLess = { sha_fingerprints: [aFingerprint(2)] };
const shoeOf = (iosAppId: string) => ({ name: 'Shoe', ios_app_id: iosAppId });

/** The versions in the order of their recording. */
const both = ['1.2.3', '1.3.0'];
const ios = ['1.2.3'];
const android = ['1.3.0'];

const breaking: [what: string, change: (shop: Shop) => Change, versions: string[], reason: string][] = [
  ['a domain is removed', ({ domainId }) => ['delete', `/custom-domains/${domainId}`], both, 'host'],
  ['a domain is deactivated', (s) => ['put', `/custom-domains/${s.domainId}`, { active: false }], both, 'link_host'],
  ['a former subdomain is released', ({ former }) => ['delete', `/former-subdomains/${former}`], both, 'host'],
  ['paths are narrowed', ({ iosId }) => ['put', `/ios-apps/${iosId}`, { paths: ['/shop/*'] }], ios, 'paths'],
  ['a bundle changes', (s) => ['put', `/ios-apps/${s.iosId}`, { bundle_id: 'com.example.New' }], ios, 'identifier'],
  ['a fingerprint is dropped', (s) => ['put', `/android-apps/${s.androidId}`, oneLess], android, 'fingerprint'],
  ['an app is deleted', ({ androidId }) => ['delete', `/android-apps/${androidId}`], android, 'app'],
  ['another app gets paths', (s) => ['put', `/ios-apps/${s.otherIosId}`, { paths: ['/s*'] }], ios, 'paths'],
  ['an app with paths is added', () => ['post', '/ios-apps', { ...otherApp, paths: ['/*'] }], ios, 'paths'],
  ['a link moves', (s) => ['put', `/links/${s.linkId}`, { ios_app_id: s.otherIosId }], ios, 'link'],
  ['a link is replaced', (s) => ['put', '/links/by-external-id/shoe', shoeOf(s.otherIosId)], ios, 'link'],
  ['the project is deleted', () => ['delete', ''], both, 'host'],
];

describe('release_guard', () => {
  test.each(breaking)('refuse: %s', async (_, changeOf, versions, reason) => {
    const shop = await aShop();
    await guardBy(shop, 'refuse');
    const change = changeOf(shop);
    const refused = await changingNothing(on, () => send(shop, change));
    expect(refused).toBeRefusedWith('BREAKS_RELEASED_APP');
    const { releases } = refused.body.error.details as { releases: { version: string; reason: string }[] };
    expect(releases.map(({ version }) => version)).toEqual(versions);
    expect(releases.map((release) => release.reason)).toEqual(versions.map(() => reason));
    const fewer = await changingNothing(on, () => send(shop, change, '?acknowledge=0.9'));
    expect(fewer).toBeRefusedWith('BREAKS_RELEASED_APP');
    const answer = await send(shop, change, `?acknowledge=${versions.join(',')}`).expect(made(change));
    expect(answer.headers['broken-app-versions']).toBe(versions.join(', '));
  });

  test.each(breaking)('warn: %s', async (_, changeOf, versions) => {
    const shop = await aShop();
    const change = changeOf(shop);
    const answer = await send(shop, change).expect(made(change));
    expect(answer.headers['broken-app-versions']).toBe(versions.join(', '));
  });

  test.each(breaking)('off, and of no released version: %s', async (_, changeOf) => {
    const shop = await aShop();
    await guardBy(shop, 'off');
    const change = changeOf(shop);
    expect((await send(shop, change).expect(made(change))).headers).not.toHaveProperty('broken-app-versions');
    const unreleased = await aShop();
    await guardBy(unreleased, 'refuse');
    await on.database.query('UPDATE app_releases SET retired = true WHERE project_id = $1', [unreleased.project.id]);
    const answer = await send(unreleased, changeOf(unreleased)).expect(made(change));
    expect(answer.headers).not.toHaveProperty('broken-app-versions');
  });

  test('paths that are derived again leave the links of other apps', async () => {
    const shop = await aShop();
    await send(shop, ['put', `/ios-apps/${shop.iosId}`, { paths: ['/*'] }]).expect(200);
    await guardBy(shop, 'refuse');
    const moved = await send(shop, ['put', `/links/${shop.linkId}`, { ios_app_id: shop.otherIosId }]).expect(200);
    expect(moved.headers).not.toHaveProperty('broken-app-versions');
    const refused = await send(shop, ['put', `/ios-apps/${shop.iosId}`, { paths: null }]);
    expect(refused).toBeRefusedWith('BREAKS_RELEASED_APP');
    const { releases } = refused.body.error.details as { releases: object[] };
    expect(releases).toMatchObject([{ version: '1.2.3', reason: 'paths', lost: '/shoe' }]);
  });

  test('a rename breaks versions only if links get a host that they do not open', async () => {
    const { key } = owner;
    const { id, subdomain } = await aProject(on, key, { release_guard: 'refuse' });
    const app = await anIosApp(on, key, id);
    const next = unique('next');
    const body = { version: '1', hosts: [`${subdomain}.localhost`] };
    await record(id, `ios-apps/${app.id}`, body);
    const rename = () => on.api('put', `/projects/${id}`, key).send({ subdomain: next });
    expect(await rename()).toBeRefusedWith('BREAKS_RELEASED_APP');
    const sql = 'UPDATE app_releases SET hosts = hosts || $1::text WHERE project_id = $2';
    await on.database.query(sql, [`${next}.localhost`, id]);
    await rename().expect(200);
  });

  test.each<[guard: string, query: string, retired: boolean, outcome: string, broken: string | undefined]>([
    ['refuse', '', false, 'BREAKS_RELEASED_APP', undefined],
    ['refuse', '?acknowledge=1.2', false, 'BREAKS_RELEASED_APP', undefined],
    ['refuse', '?acknowledge=1.2.3', false, 'done', '1.2.3'],
    ['warn', '', false, 'done', '1.2.3'],
    ['off', '', false, 'done', undefined],
    ['refuse', '', true, 'done', undefined],
  ])('a bulk request, %s%s (retired: %s): %s', async (guard, query, retired, outcome, broken) => {
    const shop = await aShop();
    await guardBy(shop, guard);
    await on.database.query('UPDATE app_releases SET retired = $1 WHERE project_id = $2', [retired, shop.project.id]);
    const operations = [
      { op: 'update', id: shop.linkId, link: { name: 'Moved', ios_app_id: shop.otherIosId } },
      { op: 'create', link: { name: 'New' } },
    ];
    const answer = await send(shop, ['post', '/links/bulk', { operations }], query).expect(200);
    const { results } = answer.body.data as { results: { error?: { code: string } }[] };
    expect(results.map(({ error }) => error?.code ?? 'done')).toEqual([outcome, 'done']);
    expect(answer.headers['broken-app-versions']).toBe(broken);
  });

  test('an undone change is compared, too', async () => {
    const shop = await aShop();
    await guardBy(shop, 'off');
    await send(shop, ['put', `/links/${shop.linkId}`, { ios_app_id: shop.otherIosId }]).expect(200);
    await record(shop.project.id, `ios-apps/${shop.otherIosId}`, { version: '5', hosts: [`${shop.former}.localhost`] });
    await guardBy(shop, 'refuse');
    const restore = await restorationOf(shop, 'link.updated');
    expect(await send(shop, restore)).toBeRefusedWith('BREAKS_RELEASED_APP');
    await send(shop, restore, '?acknowledge=5').expect(200);
  });

  test('an undone change of an app is compared, too', async () => {
    const shop = await aShop();
    const path = `/android-apps/${shop.androidId}`;
    const fingerprints = [aFingerprint(1), aFingerprint(2), aFingerprint(3)];
    await send(shop, ['put', path, { sha_fingerprints: fingerprints }]).expect(200);
    const release = { version: '9', hosts: [`${shop.former}.localhost`], sha_fingerprints: [aFingerprint(3)] };
    await record(shop.project.id, path.slice(1), release);
    const restore = await restorationOf(shop, 'android_app.updated');
    expect((await send(shop, restore, '?acknowledge=1').expect(200)).headers['broken-app-versions']).toBe('9');
    await send(shop, ['put', path, { sha_fingerprints: fingerprints }]).expect(200);
    await guardBy(shop, 'refuse');
    expect(await send(shop, restore)).toBeRefusedWith('BREAKS_RELEASED_APP');
    expect((await send(shop, restore, '?acknowledge=9').expect(200)).headers['broken-app-versions']).toBe('9');
    await send(shop, ['put', path, { sha_fingerprints: fingerprints }]).expect(200);
    await on.database.query('UPDATE app_releases SET retired = true WHERE project_id = $1', [shop.project.id]);
    expect((await send(shop, restore).expect(200)).headers).not.toHaveProperty('broken-app-versions');
  });
});

test('versions retire by hand and by age', async () => {
  const shop = await aShop();
  await guardBy(shop, 'refuse');
  const path = `/android-apps/${shop.androidId}/releases/${shop.android.id}`;
  await send(shop, ['put', path, { retired: true }]).expect(200);
  await on.database.query("UPDATE app_releases SET created_at = now() - interval '31 days' WHERE project_id = $1", [
    shop.project.id,
  ]);
  const remove: Change = ['delete', `/custom-domains/${shop.domainId}`];
  const refused = await send(shop, remove);
  const { releases } = refused.body.error.details as { releases: { version: string }[] };
  expect(releases.map(({ version }) => version)).toEqual(ios);
  await send(shop, ['put', '', { retire_releases_after_days: 30 }]).expect(200);
  expect((await send(shop, remove).expect(200)).headers).not.toHaveProperty('broken-app-versions');
});

describe('versions retire by their share of opens', () => {
  const few = { '1.3.0': 4, '2.0': 96 };

  test.each<[what: string, opens: Record<string, number>, retired: boolean, change: (shop: Shop) => unknown]>([
    ['below the limit', few, true, () => {}],
    ['without an open', { '2.0': 100 }, true, () => {}],
    ['at the limit', { '1.3.0': 5, '2.0': 95 }, false, () => {}],
    ['with other opens that may be of the version', { ...few, '*': 10 }, false, () => {}],
    ['among too few opens', { '1.3.0': 0, '2.0': 99 }, false, () => {}],
    ['by old opens', { '2.0': 500 }, false, ageOpens],
    ['beside another app of the platform', few, false, ({ project }) => anAndroidApp(on, owner.key, project.id)],
    ['soon after a change', few, false, useAgain],
    ['without a limit', few, false, (shop) => send(shop, ['put', '', { retire_releases_below_percent: null }])],
    ['of a name that opens never have', few, false, (shop) => rename(shop, '1.3.0(7)')],
  ])('%s', async (_, opens, retired, change) => {
    const shop = await aShop();
    const { project, linkId } = shop;
    await send(shop, ['put', '', { retire_releases_below_percent: 5 }]).expect(200);
    await on.database.query("UPDATE app_releases SET updated_at = now() - interval '31 days' WHERE project_id = $1", [
      project.id,
    ]);
    for (const [version, times] of Object.entries(opens))
      await on.database.query(
        `INSERT INTO app_event_sums VALUES ($1, now(), $2, 'open', 'android', $3, '', '', '', $4)`,
        [project.id, linkId, version, times],
      );
    await change(shop);
    await on.service.app.get(ReleaseRetirement).sweep();
    const stored = await on.database.query<{ retired: boolean }>(
      'SELECT retired FROM app_releases WHERE project_id = $1 ORDER BY ios_app_id NULLS FIRST',
      [project.id],
    );
    expect(stored.map((release) => release.retired)).toEqual([retired, false]);
    const history = await send(shop, ['get', '/history?type=app_release.updated']).expect(200);
    const actors = (history.body.data as { actor: { kind: string } }[]).map(({ actor }) => actor.kind);
    expect(actors.filter((kind) => kind === 'service')).toHaveLength(retired ? 1 : 0);
  });

  async function useAgain(shop: Shop) {
    const path = `/android-apps/${shop.androidId}/releases/${shop.android.id}`;
    for (const retired of [true, false]) await send(shop, ['put', path, { retired }]).expect(200);
  }
  function ageOpens() {
    return on.database.query("UPDATE app_event_sums SET quarter = quarter - interval '31 days'");
  }
  const rename = ({ android: { id } }: Shop, version: string) =>
    on.database.query('UPDATE app_releases SET version = $1 WHERE id = $2', [version, id]);
});

test('an app has at most 100 releases', async () => {
  const { project, iosId } = await aShop();
  await on.database.query(
    `INSERT INTO app_releases (id, project_id, ios_app_id, version, hosts, bundle_id)
     SELECT gen_random_uuid(), project_id, ios_app_id, 'old-' || number, hosts, bundle_id
     FROM app_releases, generate_series(1, 99) AS number WHERE ios_app_id = $1`,
    [iosId],
  );
  const body = { version: '9', hosts: ['go.example.com'] };
  const refused = await on.api('post', `/projects/${project.id}/ios-apps/${iosId}/releases`, owner.key).send(body);
  expect(refused).toBeRefusedWith('ACCESS_DENIED', expect.objectContaining({ limit: 100, used: 100 }));
});
