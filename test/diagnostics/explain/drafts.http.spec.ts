import type { AndroidApp, components, IosApp } from '../../../clients/typescript/src/index';
import { type ApiResponse, sendApiRequest } from '../../support/api-request';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aShortLink, unique, unknownId } from '../../support/builders';
import { changingNothing, settledStateOf, stateOf } from '../../support/content';
import { eventually } from '../../support/eventually';
import { fc, runs } from '../../support/properties';
import { aService } from '../../support/service';
import { explainVisit, type Explanation } from './read-answer';
import { words } from '../../support/words';
import { fixture, serviceFixture } from '../../support/fixtures';

// Explanations of links that are not stored: new ones, and stored ones with changes.

let iosApps: IosApp[];
let androidApps: AndroidApp[];
const on = serviceFixture();
const account = fixture(() => on.anAccount('enterprise'));
const project = fixture(() => aProject(on, account.key));
beforeAll(async () => {
  const of = [on, account.key, project.id] as const;
  // The paths of the first apps make those of the others depend on the links of the project.
  iosApps = [
    await anIosApp(...of, { name: 'Scoped', appstore_id: '1234567890' }),
    await anIosApp(...of, { name: 'Whole', appstore_id: '2234567890' }),
  ];
  androidApps = [await anAndroidApp(...of, { name: 'Scoped' }), await anAndroidApp(...of, { name: 'Whole' })];
  for (const path of [`ios-apps/${iosApps[0]!.id}`, `android-apps/${androidApps[0]!.id}`])
    expect((await send('PUT', `/${path}`, { paths: ['/in/*'] })).status).toBe(200);
});

const inProject = (path: string): string => `/projects/${project.id}${path}`;
const send = (method: string, path: string, body?: object): Promise<ApiResponse> =>
  sendApiRequest(on, account.key, method, inProject(path), body && JSON.stringify(body));

async function explanation(path: string, body: object): Promise<Explanation> {
  const answer = await send('POST', path, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.body as { data: Explanation }).data;
}

const visitors = words(`platform=ios platform=android&query=x%3D1 platform=desktop
  platform=ios&in_app_browser=true user_agent=WhatsApp%2F2.23.20.0`);

const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const url = fc.constantFrom('https://example.com', 'https://exämple.com:8443/ä?ö=1', 'http://127.0.0.1/?a=b#c');

/** The fields of a link, with apps by their number. A path inside the paths of the scoped apps matters to the other apps. */
const fields = fc.record({
  isInPaths: fc.boolean(),
  ios: fc.constantFrom(undefined, 0, 1),
  android: fc.constantFrom(undefined, 0, 1),
  desktop_url: sometimes(url),
  ios_fallback_url: sometimes(url),
  android_fallback_url: sometimes(url),
  ios_deferred_deep_link: fc.boolean(),
  social_title: sometimes(fc.constantFrom('A “title” & <b>', 'T')),
  social_description: sometimes(fc.constantFrom('Some text', '')),
  social_image_url: sometimes(url),
  referrer_params: sometimes(fc.constantFrom({ utm_source: 'x' }, { ct: 'y', x: '2' })),
});

type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const bodyOf = ({ isInPaths, ios, android, ...others }: Fields) => ({
  name: 'A link',
  custom_path: unique(isInPaths ? 'in/draft' : 'draft'),
  ...(ios !== undefined && { ios_app_id: iosApps[ios]!.id }),
  ...(android !== undefined && { android_app_id: androidApps[android]!.id }),
  ...others,
});

const clearable = words(`desktop_url ios_app_id android_app_id ios_fallback_url android_fallback_url
  social_title social_description social_image_url referrer_params`);

test('explain what visitors get once the link is created, and once it is changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fields,
      fields,
      fc.subarray(clearable),
      fc.constantFrom(...visitors),
      async (first, second, cleared, visitor) => {
        const query = Object.fromEntries(new URLSearchParams(visitor));
        const stored = (linkId: string) => explainVisit(on, account.key, { projectId: project.id, linkId }, query);

        const body = bodyOf(first);
        const promisedForNew = await explanation(`/explain?${visitor}`, body);
        const { id: linkId } = await aDynamicLink(on, account.key, project.id, { ...body });
        expect(promisedForNew).toEqual(await stored(linkId));

        await aShortLink(on, account.key, project.id, linkId);
        const changes = { ...bodyOf(second), ...Object.fromEntries(cleared.map((name) => [name, null])) };
        const promisedForChanged = await explanation(`/links/${linkId}/explain?${visitor}`, changes);
        expect((await send('PUT', `/links/${linkId}`, changes)).status).toBe(200);
        expect(promisedForChanged).toEqual(await stored(linkId));

        await send('DELETE', `/links/${linkId}`);
      },
    ),
    runs(120),
  );
});

test('without changes explain the stored link', async () => {
  const link = await aDynamicLink(on, account.key, project.id, { ios_app_id: iosApps[1]!.id });
  const stored = await explainVisit(on, account.key, { projectId: project.id, linkId: link.id }, { platform: 'ios' });
  expect(await explanation(`/links/${link.id}/explain?platform=ios`, {})).toEqual(stored);
  const same = await explanation(`/links/${link.id}/explain?platform=ios`, { custom_path: link.custom_path });
  expect(same).toEqual(stored);
});

test('a new link without a path has a placeholder', async () => {
  const { url } = await explanation('/explain?platform=ios', { name: 'New' });
  expect(url).toBe(`http://${project.subdomain}.localhost:3000/PATH`);
});

test('change nothing, issue no token and are not cacheable', async () => {
  const fields = { ios_app_id: iosApps[1]!.id, ios_deferred_deep_link: true, custom_path: unique('stored') };
  const free = unique('free');
  const link = await aDynamicLink(on, account.key, project.id, { ...fields, desktop_url: undefined });
  const getTheApp = { kind: 'get_the_app', issues_token: true };
  const before = await settledStateOf(on.database);
  for (const [method, path, body] of [
    ['post', '/explain', { ...fields, name: 'Draft', custom_path: free }],
    ['post', `/links/${link.id}/explain`, { name: 'Draft' }],
    ['get', `/links/${link.id}/explain`, undefined],
  ] as const) {
    const answer = await on.api(method, inProject(`${path}?platform=ios`), account.key).send(body);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.headers).not.toHaveProperty('location');
    expect((answer.body as { data: Explanation }).data.answer).toMatchObject(getTheApp);
  }
  // Tokens are written within 100 ms.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await stateOf(on.database)).toEqual(before);
  await on.visit(project.subdomain, `/${free}`).expect(404);
});

test('a full quota does not matter', async () => {
  const small = await aService({ QUOTA_FREE_DYNAMIC_LINKS: '1' }, on.database);
  const { key } = await on.anAccount('free');
  const own = await aProject(on, key);
  const path = `/projects/${own.id}`;
  await small.api('post', `${path}/links`, key).send({ name: 'Only' }).expect(201);
  const refused = await small.api('post', `${path}/links`, key).send({ name: 'More' });
  expect(refused).toBeRefusedWith('ACCESS_DENIED');
  await small.api('post', `${path}/explain?platform=ios`, key).send({ name: 'More' }).expect(200);
  await small.stop();
});

describe('refuse the same as a creation and an update:', () => {
  let slug: string;
  let foreign: { ios: string; android: string };
  const link = fixture(() => aDynamicLink(on, account.key, project.id));
  const taken = fixture(() => aDynamicLink(on, account.key, project.id, { external_id: 'taken' }));
  beforeAll(async () => {
    ({ slug } = await aShortLink(on, account.key, project.id, link.id));
    const sibling = await aProject(on, account.key);
    foreign = {
      ios: (await anIosApp(on, account.key, sibling.id)).id,
      android: (await anAndroidApp(on, account.key, sibling.id)).id,
    };
  });

  type ErrorBody = components['schemas']['ErrorResponse'];

  test.each<[string, () => object, string]>([
    ['an invalid field', () => ({ desktop_url: 'javascript:alert(1)', social_title: 1 }), 'INVALID_INPUT'],
    ['an unknown field', () => ({ full_url: 'https://example.com' }), 'FORBIDDEN_FIELD'],
    ['an unknown iOS app', () => ({ ios_app_id: unknownId }), 'IOS_APP_NOT_FOUND'],
    ['an unknown Android app', () => ({ android_app_id: unknownId }), 'ANDROID_APP_NOT_FOUND'],
    ['an iOS app of another project', () => ({ ios_app_id: foreign.ios }), 'FORBIDDEN_CROSS_SCOPE'],
    ['an Android app of another project', () => ({ android_app_id: foreign.android }), 'FORBIDDEN_CROSS_SCOPE'],
    ['the path of another link', () => ({ custom_path: taken.custom_path }), 'CUSTOM_PATH_EXISTS'],
    ['the slug of a short link', () => ({ custom_path: slug }), 'CUSTOM_PATH_EXISTS'],
    ['the external id of another link', () => ({ external_id: 'taken', custom_path: slug }), 'EXTERNAL_ID_EXISTS'],
  ])('%s', async (_, changes, code) => {
    for (const [method, place, fields] of [
      ['POST', '/links', { name: 'New', ...changes() }],
      ['PUT', `/links/${link.id}`, changes()],
    ] as const) {
      const stored = await send(method, place, fields);
      const draft = await changingNothing(on, () =>
        on.api('post', inProject(`${method === 'POST' ? '' : place}/explain?platform=ios`), account.key).send(fields),
      );
      expect((draft.body as ErrorBody).error).toEqual((stored.body as ErrorBody).error);
      expect((draft.body as ErrorBody).error.code).toBe(code);
      expect(draft.status).toBe(stored.status);
    }
  });

  test('an absent link, before the faults of references', async () => {
    const answer = await send('POST', `/links/${unknownId}/explain?platform=ios`, { ios_app_id: unknownId });
    expect(answer).toBeRefusedWith('NOT_FOUND');
  });

  test('a feature that the plan does not include, unless the link has it already', async () => {
    const pro = await on.anAccount('pro');
    const { id: projectId } = await aProject(on, pro.key);
    const { id } = await aDynamicLink(on, pro.key, projectId, { ios_deferred_deep_link: true });
    const other = await aDynamicLink(on, pro.key, projectId);
    await on.setPlan(pro.accountId, 'free');
    const body = JSON.stringify({ name: 'New', ios_deferred_deep_link: true });
    const ask = (path: string) =>
      sendApiRequest(on, pro.key, 'POST', `/projects/${projectId}${path}/explain?platform=ios`, body);
    await eventually(async () => (await ask('')).status === 403);
    expect(await ask('')).toBeRefusedWith('FORBIDDEN_PLAN');
    expect(await ask(`/links/${other.id}`)).toBeRefusedWith('FORBIDDEN_PLAN');
    expect((await ask(`/links/${id}`)).status).toBe(200);
  });
});
