import { aDynamicLink, anAndroidApp, anIosApp, aProject, type LinkBody, type ProjectBody } from '../support/builders';
import { userAgents } from '../link-routing/user-agents';
import { sendRequest } from '../support/raw-http';
import { aService, type TestAccount, type TestService } from '../support/service';
import { explainVisit } from '../diagnostics/explain/read-answer';

let on: TestService;
let account: TestAccount;
let project: ProjectBody;
beforeAll(async () => {
  on = await aService({ TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'X-Country' });
  account = await on.anAccount('enterprise');
  project = await aProject(on, account.key);
});
afterAll(() => on.stop());

type Headers = Record<string, string>;

const visit = (path: string, headers: Headers = {}) =>
  sendRequest(on.url, `GET /${path}`, { Host: `${project.subdomain}.localhost`, ...headers });

const to = (name: string) => ({ url: `https://shop.example.com/${name}` });
const at = (name: string) => `https://shop.example.com/${name}`;

describe('a link with rules', () => {
  let link: LinkBody;
  let android: { id: string };
  beforeAll(async () => {
    const ios = await anIosApp(on, account.key, project.id, { appstore_id: '1234567890' });
    android = await anAndroidApp(on, account.key, project.id, { package_name: 'com.example.shop' });
    link = await aDynamicLink(on, account.key, project.id, {
      custom_path: 'ruled',
      desktop_url: at('own?a=1'),
      ios_app_id: ios.id,
      android_app_id: android.id,
      ios_fallback_url: at('ios'),
      android_fallback_url: at('android'),
      referrer_params: { utm_source: 'mail', utm_medium: 'x' },
      rules: [
        { when: { networks: ['203.0.113.0/24'] }, then: to('intranet') },
        { when: { platforms: ['ios'], countries: ['DE'] }, then: { ...to('ios-de'), params: { utm_medium: 'y' } } },
        { when: { platforms: ['ios', 'android'], languages: ['fr'] }, then: { store: true } },
        { when: { browsers: ['Firefox'] }, then: { app: true } },
        { when: { languages: ['de'] }, then: to('de') },
        { when: { query: { ref: 'x' } }, then: to('ref') },
        { when: { referring_hosts: ['*.example.org'] }, then: to('referred') },
        { when: { qr: true }, then: to('qr') },
        { when: { from: '2000-01-01T00:00:00Z', until: '2000-02-01T00:00:00Z' }, then: to('past') },
        { when: { app_version: { max: '2' } }, then: { store: true } },
      ],
    });
  });

  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
  const own = at('own?a=1&utm_source=mail&utm_medium=x');
  const visits: [name: string, path: string, headers: Headers, location: string][] = [
    ['nobody', 'ruled', {}, own],
    ['a network', 'ruled', { 'X-Forwarded-For': '203.0.113.9' }, at('intranet?utm_source=mail&utm_medium=x')],
    [
      'platform and country',
      'ruled',
      { 'User-Agent': userAgents.iphone, 'X-Country': 'DE' },
      at('ios-de?utm_source=mail&utm_medium=y'),
    ],
    [
      'the platform alone',
      'ruled',
      { 'User-Agent': userAgents.iphone, 'X-Country': 'FR' },
      at('ios?utm_source=mail&utm_medium=x'),
    ],
    [
      'the App Store',
      'ruled',
      { 'User-Agent': userAgents.iphone, 'Accept-Language': 'fr' },
      'https://apps.apple.com/app/id1234567890',
    ],
    ["the link's own answer", 'ruled', { 'User-Agent': firefox, 'Accept-Language': 'de' }, own],
    ['a language', 'ruled?x=1', { 'Accept-Language': 'de-CH, fr;q=0.9' }, at('de?utm_source=mail&utm_medium=x&x=1')],
    ['a parameter', 'ruled?ref=x', {}, at('ref?utm_source=mail&utm_medium=x&ref=x')],
    [
      'a referring host',
      'ruled',
      { Referer: 'https://news.example.org/a' },
      at('referred?utm_source=mail&utm_medium=x'),
    ],
    ['a QR code', 'ruled?_via=qr', {}, at('qr?utm_source=mail&utm_medium=x')],
  ];

  test.each(visits)('answers a visit by %s', async (_, path, headers, location) => {
    const answer = await visit(path, { 'User-Agent': userAgents.desktop, ...headers });
    expect([answer.status, answer.headers['location'], answer.headers['cache-control']]).toEqual([
      302,
      location,
      'private, no-store',
    ]);
  });

  test('sends phones to the Play Store', async () => {
    const { headers } = await visit('ruled', { 'User-Agent': userAgents.pixel, 'Accept-Language': 'fr' });
    expect(headers['location']).toMatch(/^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.example\.shop&/);
  });

  test('ignores the address and country that no trusted proxy states', async () => {
    const direct = await aService({ COUNTRY_HEADER: 'X-Country', TRUSTED_PROXIES: '192.0.2.1' }, on.database);
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Country': 'DE', 'User-Agent': userAgents.iphone };
    const host = { Host: `${project.subdomain}.localhost` };
    const answer = await sendRequest(direct.url, 'GET /ruled', { ...host, ...headers });
    await direct.stop();
    expect(answer.headers['location']).toBe(at('ios?utm_source=mail&utm_medium=x'));
  });

  test('explains each rule', async () => {
    const place = { projectId: project.id, linkId: link.id };
    const { rules, answer, steps } = await explainVisit(on, account.key, place, {
      platform: 'ios',
      country: 'FR',
      accept_language: 'de',
      address: '10.0.0.1',
      at: '2027-01-01T00:00:00Z',
    });
    expect(answer.location).toBe(at('de?utm_source=mail&utm_medium=x'));
    expect(steps.map(({ rule, finding }) => `${rule}: ${finding}`)).toContain('rules: matched');
    expect(rules.map(({ outcome, unmet, reason }) => `${outcome} ${unmet.join()}: ${reason}`)).toEqual([
      'not_matched networks: The address is in none of the networks.',
      'not_matched countries: The country is FR.',
      'not_matched languages: The preferred language is de.',
      'not_matched browsers: The browser is unknown.',
      'matched : All conditions hold, so this rule decides.',
      ...Array.from({ length: 5 }, () => 'not_reached : An earlier rule matches.'),
    ]);
  });

  test('gives an app its destination by its version', async () => {
    const open = async (version: string) => {
      const body = JSON.stringify({
        url: `https://${project.subdomain}.localhost/ruled`,
        app: { package_name: 'com.example.shop', version },
        open_id: 'a'.repeat(22),
      });
      const { text } = await sendRequest(
        on.url,
        'POST /links/open',
        {
          Host: `${project.subdomain}.localhost`,
          'Content-Type': 'application/json',
        },
        body,
      );
      return (JSON.parse(text) as { data: { destination: string } }).data.destination;
    };
    expect(await open('1.9')).toMatch(/^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.example\.shop/);
    expect(await open('3.0')).toBe(own);
  });

  test('serves changed rules at once', async () => {
    const changed = await aDynamicLink(on, account.key, project.id, { custom_path: 'changed', desktop_url: at('own') });
    const path = `/projects/${project.id}/links/${changed.id}`;
    expect((await visit('changed')).headers['location']).toBe(at('own'));
    await on
      .api('put', path, account.key)
      .send({ rules: [{ when: {}, then: to('new') }] })
      .expect(200);
    expect((await visit('changed')).headers['location']).toBe(at('new'));
    await on.api('put', path, account.key).send({ rules: null }).expect(200);
    expect((await visit('changed')).headers['location']).toBe(at('own'));
  });
});

describe('destinations of rules', () => {
  test('have the limits of the project', async () => {
    const limited = await aProject(on, account.key, { destination_hosts: ['shop.example.com'] });
    const send = (url: string) =>
      on.api('post', `/projects/${limited.id}/links`, account.key).send({
        name: 'A',
        rules: [
          { when: { qr: true }, then: to('a') },
          { when: {}, then: { url } },
        ],
      });
    const { body } = await send('https://evil.example/').expect(403);
    expect(body).toMatchObject({ error: { details: { field: 'rules.1.then.url', destination_host: 'evil.example' } } });
    await send('shop://a').expect(400);
    await send('https://shop.example.com/b').expect(201);
  });
});

describe('association files', () => {
  const fileOf = async ({ subdomain }: ProjectBody, name: string) => {
    const { text } = await sendRequest(on.url, `GET /.well-known/${name}`, { Host: `${subdomain}.localhost` });
    return JSON.parse(text) as unknown;
  };
  const excluded = (path: string) => ({ '/': `/${path}`, exclude: true });

  const toWeb = (...platforms: string[]) => ({ when: { platforms }, then: to('web') });
  const cases: [path: string, rules: object[], ios: boolean, android: boolean][] = [
    ['both-systems', [toWeb('ios', 'ipados', 'android')], true, true],
    ['in-two-rules', [toWeb('ios'), toWeb('ipados')], true, false],
    [
      'everyone',
      [
        { when: { qr: true }, then: to('qr') },
        { when: {}, then: to('web') },
      ],
      true,
      true,
    ],
    ['iphones-alone', [toWeb('ios')], false, false],
    ['with-a-condition', [{ when: { platforms: ['android'], qr: true }, then: to('web') }], false, false],
    [
      'store-first',
      [
        { when: { platforms: ['android'] }, then: { store: true } },
        { when: { qr: true }, then: to('a') },
      ],
      false,
      false,
    ],
    ['app-in-a-country', [{ when: { countries: ['DE'] }, then: { app: true } }, toWeb('android')], false, false],
    ['asks-itself', [{ when: { app_version: { max: '2' } }, then: { store: true } }, toWeb('android')], false, true],
  ];

  test('leave out the paths whose visitors all go to the web', async () => {
    const web = await aProject(on, account.key);
    const app = await anIosApp(on, account.key, web.id);
    await anAndroidApp(on, account.key, web.id);
    for (const [custom_path, rules] of cases)
      await aDynamicLink(on, account.key, web.id, { custom_path, rules, ios_app_id: app.id });
    const ofPlatform = (platform: 'ios' | 'android') =>
      cases
        .filter(([, , ios, android]) => (platform === 'ios' ? ios : android))
        .map(([path]) => path)
        .sort();
    const apple = (await fileOf(web, 'apple-app-site-association')) as {
      applinks: { details: { components: object[] }[] };
    };
    expect(apple.applinks.details[0]!.components).toEqual([
      { '/': '*', '?': { _via: '*page' }, exclude: true },
      ...ofPlatform('ios').map(excluded),
      { '/': '*' },
    ]);
    const google = JSON.stringify(await fileOf(web, 'assetlinks.json'));
    for (const [path, , , android] of cases)
      expect([path, google.includes(JSON.stringify(excluded(path)))]).toEqual([path, android]);
    const links = await on.api('get', `/projects/${web.id}/links?limit=100`, account.key).expect(200);
    for (const { id, custom_path } of (links.body as { data: LinkBody[] }).data) {
      const [, , ios, android] = cases.find(([path]) => path === custom_path)!;
      const { apps } = await explainVisit(on, account.key, { projectId: web.id, linkId: id }, { platform: 'ios' });
      expect([custom_path, ...apps.map(({ platform }) => platform)]).toEqual([
        custom_path,
        ...(ios ? [] : ['ios']),
        ...(android ? [] : ['android']),
      ]);
    }
  });
});

test('simulates a table of visitors, with changes that are not saved', async () => {
  const link = await aDynamicLink(on, account.key, project.id, {
    desktop_url: at('own'),
    rules: [{ when: { countries: ['DE'] }, then: to('de') }],
  });
  const simulate = async (query: string, changes: object = {}) => {
    const path = `/projects/${project.id}/links/${link.id}/simulate?${query}`;
    const { body } = await on.api('post', path, account.key).send(changes);
    return body as { data?: { visits: Record<string, unknown>[] }; error?: { details: object[] } };
  };
  const visits = 'platform=ios&platform=windows&country=DE&country=US&language=de&at=2027-01-01T00:00:00Z';
  const rows = async (changes?: object) =>
    (await simulate(visits, changes)).data!.visits.map(({ platform, country, rule, location }) => [
      platform,
      country,
      rule,
      location,
    ]);
  expect(await rows()).toEqual([
    ['ios', 'DE', 0, at('de')],
    ['ios', 'US', null, at('own')],
    ['windows', 'DE', 0, at('de')],
    ['windows', 'US', null, at('own')],
  ]);
  expect((await simulate(visits)).data!.visits[1]!['rules']).toEqual([
    { index: 0, outcome: 'not_matched', unmet: ['countries'], reason: 'The country is US.' },
  ]);
  const changed = [{ when: { platforms: ['windows'], languages: ['de'] }, then: { store: true } }];
  expect((await rows({ rules: changed })).map(([, , rule]) => rule)).toEqual([null, null, 0, 0]);
  expect((await simulate('')).data!.visits).toMatchObject([{ platform: 'desktop', country: null, language: null }]);
  const many = Array.from({ length: 15 }, (_, day) => `at=2027-01-${day + 10}T00:00:00Z`).join('&');
  const countries = ['DE', 'US', 'FR', 'IT', 'ES', 'PT', 'NL', 'BE', 'LU', 'AT', 'CH', 'DK', 'SE', 'NO']
    .map((one) => `country=${one}`)
    .join('&');
  expect((await simulate(`${many}&${countries}`)).error!.details).toMatchObject([
    { code: 'too_big', path: ['platform'] },
  ]);
});
