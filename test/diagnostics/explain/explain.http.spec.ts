import type { AndroidApp, IosApp } from '../../../clients/typescript/src/index';
import { type UserAgentName, userAgents } from '../../link-routing/user-agents';
import {
  aDynamicLink,
  anAndroidApp,
  anIosApp,
  aProject,
  aShortLink,
  type LinkBody,
  type ProjectBody,
} from '../../support/builders';
import { settledStateOf, stateOf } from '../../support/content';
import { sample } from '../../support/scale';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { explainVisit, type Explanation, readAnswer, visit } from './read-answer';

let on: TestService;
let account: TestAccount;
let project: ProjectBody;
let iosApp: IosApp;
let androidApp: AndroidApp;
const links: Record<string, LinkBody> = {};

const desktop = 'https://example.com/desktop?keep=%41#part';
const urls = {
  desktop_url: desktop,
  ios_fallback_url: 'https://example.com/ios',
  android_fallback_url: 'https://example.com/android',
};
const social = {
  social_title: 'Summer & <sale>',
  social_description: 'Half "price"\nuntil it\'s over',
  social_image_url: 'https://pictures.example/sale.png?a=1&b=2',
};

beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  const { key } = account;
  project = await aProject(on, key);
  iosApp = await anIosApp(on, key, project.id, { name: 'Garden & Co', appstore_id: '1234567890' });
  androidApp = await anAndroidApp(on, key, project.id, { name: 'Garden & Co' });
  const unreleased = await anIosApp(on, key, project.id, { name: 'Beta' });
  const apps = { ios_app_id: iosApp.id, android_app_id: androidApp.id };
  const fields: Record<string, Record<string, unknown>> = {
    urls,
    'urls-social': { ...urls, ...social },
    apps,
    all: { ...urls, ...apps, ...social, referrer_params: { utm_source: 'link', ct: 'mail' } },
    deferred: { ...urls, ...apps, ios_deferred_deep_link: true },
    'deferred-social': { ...apps, ...social, ios_deferred_deep_link: true, referrer_params: { deferred_link: 'own' } },
    'deferred-unreleased': { ...urls, ios_app_id: unreleased.id, ios_deferred_deep_link: true },
    'deferred-without-app': { ios_fallback_url: urls.ios_fallback_url, ios_deferred_deep_link: true },
    'apps-desktop': { ...apps, desktop_url: desktop },
    unreleased: { desktop_url: desktop, ios_app_id: unreleased.id },
    'android-only': { desktop_url: desktop, android_app_id: androidApp.id },
    nothing: {},
    title: { social_title: 'Only a title' },
    'empty-texts': { desktop_url: desktop, social_title: '', social_description: '' },
    'unnameable-picture': { social_image_url: 'https://a;sandbox/x.png', social_title: 'T' },
  };
  for (const [path, given] of Object.entries(fields))
    links[path] = await aDynamicLink(on, key, project.id, { desktop_url: undefined, custom_path: path, ...given });
});
afterAll(() => on.stop());

const explain = (path: string, parameters: Record<string, string | undefined>): Promise<Explanation> =>
  explainVisit(on, account.key, { projectId: project.id, linkId: links[path]!.id }, parameters);

/** Runs `work` for all items with limited concurrency. */
async function runLimited<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += 10) await Promise.all(items.slice(at, at + 10).map(work));
}

const queries = [
  undefined,
  'x=1&ct=visitor',
  '_via=page',
  'a=1&_via=ipad&deferred_link=stolen&b=%7e',
  '_via=ipad-page',
  '_via=browser-page',
];

// The first test, because visits of the others write their tokens later.
test('an explanation changes nothing and issues no token', async () => {
  const before = await settledStateOf(on.database);
  for (let time = 0; time < 5; time++) {
    const { answer } = await explain('apps', { platform: 'android' });
    expect(answer.location).toBe(
      `https://play.google.com/store/apps/details?id=${androidApp.package_name}&referrer=deferred_link%3DTOKEN`,
    );
    expect(answer.issues_token).toBe(true);
    await explain('deferred', { platform: 'ios' });
  }
  // Tokens are written within 100 ms.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await stateOf(on.database)).toEqual(before);
});

describe('explanations', () => {
  const all = () => [
    ...Object.keys(links).map((path) => ({ path, query: undefined })),
    ...['all', 'apps', 'deferred', 'deferred-social', 'nothing'].flatMap((path) =>
      queries.map((query) => ({ path, query })),
    ),
  ];

  test.each<['ios' | 'android' | 'desktop', 'true' | 'false', UserAgentName, at: number]>([
    ['ios', 'false', 'iphone', 0],
    ['android', 'false', 'pixel', 1],
    ['desktop', 'false', 'desktop', 2],
    ['ios', 'true', 'instagramOnIphone', 3],
    ['android', 'true', 'instagramOnAndroid', 4],
  ])('for the platform %s (in an app: %s) equal visits by %s', async (platform, inApp, name, at) => {
    await runLimited(sample(all(), at, 9), async ({ path, query }) => {
      const { answer } = await explain(path, { platform, in_app_browser: inApp, query });
      const real = readAnswer(await visit(on, project.subdomain, { path, query, userAgent: userAgents[name] }));
      // Only a user agent tells how to leave its app.
      if (real.page) real.page.links = real.page.links.filter(({ role }) => role !== 'open_browser');
      expect([path, query, answer]).toEqual([path, query, real]);
    });
  });

  test('for an empty user agent equal visits without a user agent', async () => {
    const real = readAnswer(await visit(on, project.subdomain, { path: 'all' }));
    expect((await explain('all', { user_agent: '' })).answer).toEqual(real);
    expect((await explain('all', { platform: 'desktop' })).answer).toEqual(real);
  });

  test('show changes immediately, and never show invalid stored URLs', async () => {
    const link = await aDynamicLink(on, account.key, project.id, { custom_path: 'changing' });
    const place = { projectId: project.id, linkId: link.id };
    const location = async () => (await explainVisit(on, account.key, place, { platform: 'desktop' })).answer.location;
    expect(await location()).toBe('https://example.com/desktop');
    await on
      .api('put', `/projects/${project.id}/links/${link.id}`, account.key)
      .send({ desktop_url: 'https://example.com/new' })
      .expect(200);
    expect(await location()).toBe('https://example.com/new');
    await on.database.query(
      `UPDATE dynamic_links SET desktop_url = 'javascript:alert(1)', referrer_params = '{"a": 1}' WHERE id = $1`,
      [link.id],
    );
    expect(await location()).toBeNull();
  });
});

describe('the steps', () => {
  const stepsOf = async (path: string, parameters: Record<string, string>) =>
    (await explain(path, parameters)).steps.map(({ rule, outcome, finding }) => `${rule} ${outcome}: ${finding}`);

  test.each<[string, string, Record<string, string>, string[]]>([
    [
      'one who goes on from there',
      'deferred',
      { user_agent: userAgents.instagramOnIphone, query: '_via=page&ct=1' },
      [
        'query noted: reserved_taken_off',
        'platform noted: ios_device',
        'preview passed: no_social_crawler',
        'in_app_browser passed: from_our_page',
        'get_the_app taken: taken',
        'parameters noted: campaign_only',
        'token noted: issued',
      ],
    ],
    [
      'Android on the way to Google Play',
      'apps',
      { client_hint: '"Android"', user_agent: '', query: 'utm_source=x' },
      [
        'query noted: kept',
        'platform noted: client_hint_android',
        'preview passed: no_social_crawler',
        'in_app_browser passed: own_browser',
        'android_fallback_url passed: not_set',
        'play_store taken: taken',
        'parameters noted: in_referrer',
        'token noted: issued',
      ],
    ],
    [
      'a robot on the way to Google Play',
      'apps',
      { user_agent: userAgents.googlebot },
      [
        'platform noted: android_device',
        'preview passed: no_social_crawler',
        'in_app_browser passed: own_browser',
        'android_fallback_url passed: not_set',
        'play_store taken: taken',
        'parameters noted: none',
        'token noted: robot',
      ],
    ],
    [
      'a preview fetcher',
      'title',
      { user_agent: userAgents.slackbot },
      ['platform noted: unknown', 'preview taken: taken'],
    ],
    [
      'a preview fetcher without anything to preview',
      'empty-texts',
      { user_agent: userAgents.slackbot },
      [
        'platform noted: unknown',
        'preview passed: no_social_fields',
        'desktop_url taken: taken',
        'parameters noted: none',
      ],
    ],
    [
      'an iPad that calls itself one',
      'apps',
      { user_agent: userAgents.macintosh, query: '_via=ipad' },
      [
        'query noted: reserved_taken_off',
        'platform noted: unknown',
        'ipad noted: found_out',
        'preview passed: no_social_crawler',
        'in_app_browser passed: own_browser',
        'get_the_app passed: off',
        'ios_fallback_url passed: not_set',
        'app_store taken: taken',
        'parameters noted: none',
      ],
    ],
  ])('list the rules for %s', async (_, path, parameters, expected) => {
    expect(await stepsOf(path, parameters)).toEqual(expected);
  });
});

test('the URL is the visited URL with the custom path', async () => {
  await aShortLink(on, account.key, project.id, links['all']!.id);
  const { url } = await explain('all', { platform: 'ios', query: 'x=%41&_via=page&ä="' });
  expect(url).toBe(`${links['all']!.full_url}?x=%41&%C3%A4=%22`);
});

test('a device gets the store of its vendor, in visits as in explanations', async () => {
  const stores = { appgallery: '100000001', amazon: 'com.example.fire' };
  const app = await anAndroidApp(on, account.key, project.id, { android_stores: stores });
  expect(app.android_stores).toEqual({ ...stores, appgallery: 'C100000001' });
  const link = await aDynamicLink(on, account.key, project.id, { desktop_url: undefined, android_app_id: app.id });
  const phone = (model: string) => `Mozilla/5.0 (Linux; Android 10; ${model}) AppleWebKit/537.36 Mobile Safari/537.36`;
  const page = 'https://appgallery.cloud.huawei.com/ag/n/app/C100000001?referrer=a%3D1%26deferred_link%3DTOKEN';
  for (const [model, location, step] of [
    ['JNY-LX2; HMSCore 6.9.0.302', page, 'android_store taken: taken'],
    ['KFTRWI', 'https://www.amazon.com/gp/mas/dl/android?p=com.example.fire', 'android_store taken: taken'],
    [
      'SM-S918B',
      `https://play.google.com/store/apps/details?id=${app.package_name}&referrer=a%3D1%26deferred_link%3DTOKEN`,
      'android_store passed: no_store',
    ],
  ] as const) {
    const visitor = { user_agent: phone(model), query: 'a=1' };
    const { answer, steps } = await explainVisit(on, account.key, { projectId: project.id, linkId: link.id }, visitor);
    expect([model, answer.location]).toEqual([model, location]);
    expect(steps.map(({ rule, outcome, finding }) => `${rule} ${outcome}: ${finding}`)).toContain(step);
    const real = await visit(on, project.subdomain, { path: link.custom_path, query: 'a=1', userAgent: phone(model) });
    expect(readAnswer(real)).toEqual(answer);
  }
});

describe('the query', () => {
  const ask = (search: string, linkId = links['all']!.id) =>
    on.api('get', `/projects/${project.id}/links/${linkId}/explain${search}`, account.key);

  test.each<[string, string, string]>([
    ['', 'platform', 'required'],
    ['?query=x', 'platform', 'required'],
    ['?platform=ios&user_agent=x', 'user_agent', 'invalid_format'],
    ['?platform=ios&client_hint=x', 'client_hint', 'invalid_format'],
    ['?user_agent=x&in_app_browser=true', 'in_app_browser', 'invalid_format'],
    ['?user_agent=a%0d%0ab', 'user_agent', 'invalid_format'],
    ['?user_agent=x&client_hint=a%0ab', 'client_hint', 'invalid_format'],
    ['?platform=ios&accept_language=a%0ab', 'accept_language', 'invalid_format'],
    ['?platform=ios&requested_with=x', 'requested_with', 'invalid_format'],
    ['?user_agent=x&requested_with=a%0ab', 'requested_with', 'invalid_format'],
    ['?platform=ios&query=a%0a', 'query', 'invalid_format'],
    ['?platform=ios&platform=android', 'platform', 'invalid_type'],
    ['?platform=ios&page=1', 'page', 'unrecognized_key'],
    ['?platform=ios&__proto__=1', '__proto__', 'unrecognized_key'],
  ])('%.60s is refused', async (search, field, code) => {
    expect(await ask(search)).toBeRefusedWith('INVALID_INPUT', [{ code, path: [field], message: expect.any(String) }]);
  });

  test.each([['?platform=ios&query=%ff'], ['?user_agent=%'], ['?user_agent=%ED%A0%80']])(
    '%s cannot be decoded',
    async (search) => {
      expect(await ask(search)).toBeRefusedWith('INVALID_INPUT');
    },
  );

  test('an invalid query takes precedence over an unknown link', async () => {
    const unknownId = '00000000-0000-7000-8000-000000000000';
    expect(await ask('?platform=x', unknownId)).toBeRefusedWith('INVALID_INPUT');
    expect(await ask('', unknownId)).toBeRefusedWith('INVALID_INPUT');
    expect(await ask('?platform=ios', unknownId)).toBeRefusedWith('NOT_FOUND');
    expect(await ask('?platform=ios', 'x')).toBeRefusedWith('NOT_FOUND');
  });

  test('a user agent and a query of 8 kB are read as in a visit', async () => {
    // Only the first 1024 characters count.
    for (const [at, platform] of [
      [900, 'ios'],
      [1100, 'desktop'],
    ] as const) {
      const userAgent = `${'x'.repeat(at)} iPhone ${'y'.repeat(8192 - at - 8)}`;
      const { visitor, answer } = await explain('urls', { user_agent: userAgent });
      expect(visitor.platform).toBe(platform);
      expect(answer).toEqual(readAnswer(await visit(on, project.subdomain, { path: 'urls', userAgent })));
    }
    const query = Array.from({ length: 900 }, (_, at) => `p${at}=%7e${at % 10}`)
      .join('&')
      .slice(0, 8192);
    const { answer } = await explain('urls', { platform: 'desktop', query });
    expect(answer).toEqual(readAnswer(await visit(on, project.subdomain, { path: 'urls', query })));
  });
});

test('characters beyond ASCII are percent-encoded in the query, as browsers send them', async () => {
  const { url, answer } = await explain('urls', { platform: 'desktop', query: 'q=ü x' });
  expect(url).toBe(`http://${project.subdomain}.localhost:3000/urls?q=%C3%BC%20x`);
  expect(answer.location).toBe('https://example.com/desktop?keep=%41&q=%C3%BC%20x#part');
});

describe('released versions', () => {
  const failed = ({ releases }: Explanation) =>
    releases.map(({ platform, opens, steps }) => [
      platform,
      opens,
      ...steps.filter(({ passed }) => !passed).map(({ check }) => check),
    ]);

  test('are examined on the platform of the visitor, for the host that the caller names', async () => {
    const body = { version: '3.0', hosts: [`${project.subdomain}.localhost`] };
    for (const app of [`ios-apps/${iosApp.id}`, `android-apps/${androidApp.id}`])
      await on.api('post', `/projects/${project.id}/${app}/releases`, account.key).send(body).expect(201);
    const asked = { app_version: '3.0' };
    expect(failed(await explain('apps', { platform: 'ios', ...asked }))).toEqual([['ios', true]]);
    expect(failed(await explain('apps', { platform: 'android', ...asked }))).toEqual([['android', true]]);
    expect(failed(await explain('apps', { platform: 'desktop', ...asked }))).toEqual([]);
    expect(failed(await explain('apps', { platform: 'ios', app_version: '3.1' }))).toEqual([]);
    expect(failed(await explain('apps', { platform: 'ios' }))).toEqual([]);
    const elsewhere = { platform: 'ios', ...asked, host: 'Old.example.com' };
    expect(failed(await explain('apps', elsewhere))).toEqual([['ios', false, 'host_named', 'host_served']]);
    expect(failed(await explain('unreleased', { platform: 'ios', ...asked }))).toEqual([['ios', false, 'app_paths']]);
  });
});
