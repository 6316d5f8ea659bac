import {
  aDynamicLink,
  anAndroidApp,
  anIosApp,
  aProject,
  aTemplate,
  dataAt,
  type LinkBody,
  type ProjectBody,
} from '../support/builders';
import { eventually, until } from '../support/eventually';
import { userAgents } from '../link-routing/user-agents';
import { sendRequest } from '../support/raw-http';
import { accountFixture, projectFixture, serviceFixture } from '../support/fixtures';
import { explainVisit } from '../diagnostics/explain/read-answer';
import { openLink } from './open-link';

const on = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'X-Country' });
const account = accountFixture(on);
const project = projectFixture(on, account);

type Headers = Record<string, string>;

const visit = (path: string, headers: Headers = {}) =>
  sendRequest(on.url, `GET /${path}`, { Host: `${project.subdomain}.localhost`, ...headers });

const at = (name: string) => `https://shop.example.com/${name}`;
const to = (name: string) => ({ url: at(name) });

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
  const params = 'utm_source=mail&utm_medium=x';
  const own = at(`own?a=1&${params}`);
  const onIphone = { 'User-Agent': userAgents.iphone };

  test.each<[name: string, query: string, headers: Headers, location: string]>([
    ['nobody', '', {}, own],
    ['a network', '', { 'X-Forwarded-For': '203.0.113.9' }, at(`intranet?${params}`)],
    ['platform and country', '', { ...onIphone, 'X-Country': 'DE' }, at('ios-de?utm_source=mail&utm_medium=y')],
    ['the platform alone', '', { ...onIphone, 'X-Country': 'FR' }, at(`ios?${params}`)],
    ['the App Store', '', { ...onIphone, 'Accept-Language': 'fr' }, 'https://apps.apple.com/app/id1234567890'],
    ["the link's own answer", '', { 'User-Agent': firefox, 'Accept-Language': 'de' }, own],
    ['a language', '?x=1', { 'Accept-Language': 'de-CH, fr;q=0.9' }, at(`de?${params}&x=1`)],
    ['a parameter', '?ref=x', {}, at(`ref?${params}&ref=x`)],
    ['a referring host', '', { Referer: 'https://news.example.org/a' }, at(`referred?${params}`)],
    ['a QR code', '?_via=qr', {}, at(`qr?${params}`)],
  ])('answers a visit by %s', async (_, query, headers, location) => {
    const answer = await visit(`ruled${query}`, { 'User-Agent': userAgents.desktop, ...headers });
    const { status, headers: sent } = answer;
    expect([status, sent['location'], sent['cache-control']]).toEqual([302, location, 'private, no-store']);
  });

  test('sends phones to the Play Store', async () => {
    const { headers } = await visit('ruled', { 'User-Agent': userAgents.pixel, 'Accept-Language': 'fr' });
    expect(headers['location']).toMatch(/^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.example\.shop&/);
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
    expect(answer.location).toBe(at(`de?${params}`));
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
    const open = async (version: string, id: object = { package_name: 'com.example.shop' }) => {
      const app = { ...id, version };
      return (await openLink(on, project.subdomain, '/ruled', { app })).body.data.destination as string;
    };
    expect(await open('1.9')).toMatch(/^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.example\.shop/);
    expect(await open('1.9', { bundle_id: 'com.example.shop' })).toBe('https://apps.apple.com/app/id1234567890');
    expect(await open('3.0')).toBe(own);
  });
});

const evil = { url: 'https://evil.example/' };
const qrToA = { when: { qr: true }, then: to('a') };
const twoVariants = [evil, to('b')].map((one, at) => ({ ...one, name: `${at}`, weight: 1 }));

// link-rules.spec.ts names the URLs of all kinds of rules.
test.each<[path: string, body: object, field: string]>([
  ['links', { rules: [qrToA, { when: {}, then: evil }] }, 'rules.1.then.url'],
  ['links', { variants: twoVariants }, 'variants.0.url'],
  ['link-templates', { rules: [{ when: {}, then: evil }] }, 'rules.0.then.url'],
])('destinations of %s have the limits of the project: %j', async (path, body, field) => {
  const { id } = await aProject(on, account.key, { destination_hosts: ['shop.example.com'] });
  const send = (sent: object) => on.api('post', `/projects/${id}/${path}`, account.key).send({ name: 'A', ...sent });
  const details = { field, destination_host: 'evil.example', limited_by: 'project' };
  expect(await send(body)).toBeRefusedWith('ACCESS_DENIED', details);
  await send({ rules: [{ when: {}, then: { url: 'shop://a' } }] }).expect(400);
  await send({ rules: [{ when: {}, then: to('b') }] }).expect(201);
});

describe('association files', () => {
  const fileOf = async ({ subdomain }: ProjectBody, name: string) => {
    const { text } = await sendRequest(on.url, `GET /.well-known/${name}`, { Host: `${subdomain}.localhost` });
    return JSON.parse(text) as unknown;
  };
  const excluded = (path: string) => ({ '/': `/${path}`, exclude: true });

  const toWeb = (...platforms: string[]) => ({ when: { platforms }, then: to('web') });
  const qrToWeb = { when: { qr: true }, then: to('qr') };
  const cases: [path: string, rules: object[], ios: boolean, android: boolean][] = [
    ['both-systems', [toWeb('ios', 'ipados', 'android')], true, true],
    ['in-two-rules', [toWeb('ios'), toWeb('ipados')], true, false],
    ['everyone', [qrToWeb, { when: {}, then: to('web') }], true, true],
    ['iphones-alone', [toWeb('ios')], false, false],
    ['with-a-condition', [{ when: { platforms: ['android'], qr: true }, then: to('web') }], false, false],
    ['store-first', [{ when: { platforms: ['android'] }, then: { store: true } }, qrToWeb], false, false],
    ['app-in-a-country', [{ when: { countries: ['DE'] }, then: { app: true } }, toWeb('android')], false, false],
    ['by-template', [], true, false],
    ['asks-itself', [{ when: { app_version: { max: '2' } }, then: { store: true } }, toWeb('android')], false, true],
  ];

  test('have space for paths that lead to the web beside many whose rules do not', async () => {
    const crowded = await aProject(on, account.key);
    const app = await anIosApp(on, account.key, crowded.id);
    const link = (custom_path: string, rules: object[]) =>
      aDynamicLink(on, account.key, crowded.id, { custom_path, rules, ios_app_id: app.id });
    await link('a', [{ when: { qr: true }, then: { store: true } }]);
    await on.database.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id, rules)
       SELECT gen_random_uuid(), project_id, 'Many', 'a' || n, ios_app_id, rules
       FROM dynamic_links, generate_series(1, 1000) AS n WHERE project_id = $1`,
      [crowded.id],
    );
    await link('web', [{ when: {}, then: to('web') }]);
    await eventually(async () => JSON.stringify(await fileOf(crowded, 'apple-app-site-association')).includes('/web'));
  });

  test('leave out the paths whose visitors all go to the web', async () => {
    const web = await aProject(on, account.key);
    const app = await anIosApp(on, account.key, web.id);
    await anAndroidApp(on, account.key, web.id);
    await aTemplate(on, account.key, web.id, { name: 'Web', rules: [toWeb('ios', 'ipados')] });
    for (const [custom_path, rules] of cases)
      await aDynamicLink(on, account.key, web.id, {
        custom_path,
        ios_app_id: app.id,
        ...(custom_path === 'by-template' ? { template: 'Web' } : { rules }),
      });
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
    const links = await dataAt<LinkBody[]>(on, account.key, `/projects/${web.id}/links?limit=100`);
    for (const { id, custom_path } of links) {
      const [, , ios, android] = cases.find(([path]) => path === custom_path)!;
      const { apps } = await explainVisit(on, account.key, { projectId: web.id, linkId: id }, { platform: 'ios' });
      const expected = [...(ios ? [] : ['ios']), ...(android ? [] : ['android'])];
      expect([custom_path, ...apps.map(({ platform }) => platform)]).toEqual([custom_path, ...expected]);
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
    (await simulate(visits, changes)).data!.visits.map((visit) =>
      ['platform', 'country', 'rule', 'location'].map((name) => visit[name]),
    );
  expect(await rows()).toEqual([
    ['ios', 'DE', 0, at('de')],
    ['ios', 'US', null, at('own')],
    ['windows', 'DE', 0, at('de')],
    ['windows', 'US', null, at('own')],
  ]);
  expect((await simulate(visits)).data!.visits[1]!['rules']).toEqual([
    { index: 0, template: null, outcome: 'not_matched', unmet: ['countries'], reason: 'The country is US.' },
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

describe('a template', () => {
  const api = (method: 'get' | 'post' | 'put' | 'delete', path: string) =>
    on.api(method, `/projects/${project.id}${path}`, account.key);
  const locationOf = async (path: string, headers: Headers = {}) => (await visit(path, headers)).headers['location'];
  let template: { id: string };
  let link: LinkBody;
  beforeAll(async () => {
    template = await aTemplate(on, account.key, project.id, {
      name: 'Mails',
      referrer_params: { utm_source: 'mails', utm_medium: 'email' },
      rules: [
        { when: { countries: ['DE'] }, then: to('template-de') },
        { when: { countries: ['AT'] }, then: { ...to('template-at'), params: { utm_medium: 'at' } } },
      ],
    });
    link = await aDynamicLink(on, account.key, project.id, {
      custom_path: 'templated',
      desktop_url: at('own'),
      template: 'Mails',
      referrer_params: { utm_medium: 'own' },
      rules: [{ when: { countries: ['DE'], languages: ['de'] }, then: to('own-de') }],
    });
  });

  test('adds its parameters and rules to those of its links, which come first', async () => {
    const params = 'utm_source=mails&utm_medium=own';
    expect(await locationOf('templated')).toBe(at(`own?${params}`));
    expect(await locationOf('templated', { 'X-Country': 'DE' })).toBe(at(`template-de?${params}`));
    expect(await locationOf('templated', { 'X-Country': 'DE', 'Accept-Language': 'de' })).toBe(at(`own-de?${params}`));
    expect(await locationOf('templated', { 'X-Country': 'AT' })).toBe(at('template-at?utm_source=mails&utm_medium=at'));
    const place = { projectId: project.id, linkId: link.id };
    const explained = await explainVisit(on, account.key, place, { platform: 'desktop', country: 'DE' });
    expect(explained.rules).toMatchObject([
      { index: 0, template: null, outcome: 'not_matched', unmet: ['languages'] },
      { index: 0, template: 'Mails', outcome: 'matched' },
      { index: 1, template: 'Mails', outcome: 'not_reached' },
    ]);
    const simulated = await api('post', `/links/${link.id}/simulate?country=AT`).send({ rules: null }).expect(200);
    expect((simulated.body as { data: { visits: object[] } }).data.visits).toMatchObject([
      { rule: 1, template: 'Mails', location: at('template-at?utm_source=mails&utm_medium=at') },
    ]);
    expect((await api('get', `/links/${link.id}`)).body).toMatchObject({
      data: { template: 'Mails', referrer_params: { utm_medium: 'own' } },
    });
  });

  test('reaches visitors of its links when it changes', async () => {
    await api('put', `/link-templates/${template.id}`)
      .send({ rules: null, referrer_params: { ref: 'new' } })
      .expect(200);
    await until(
      async () => (await locationOf('templated', { 'X-Country': 'AT' })) === at('own?ref=new&utm_medium=own'),
    );
    await api('put', `/links/${link.id}`).send({ template: null }).expect(200);
    await until(async () => (await locationOf('templated')) === at('own?utm_medium=own'));
    await api('put', `/links/${link.id}`).send({ template: 'Mails' }).expect(200);
    await until(async () => (await locationOf('templated')) === at('own?ref=new&utm_medium=own'));
  });

  test('stays while links name it, and links name no other one', async () => {
    const refusal = await api('delete', `/link-templates/${template.id}`).expect(409);
    expect(refusal.body).toMatchObject({
      error: { code: 'LINKED_REFERENCES', details: { total: 1, dynamic_links: [{ id: link.id }] } },
    });
    const unknown = { name: 'x', template: 'mails' };
    const details = [{ code: 'invalid_format', path: ['template'] }];
    for (const [method, path] of [
      ['post', '/links'],
      ['put', `/links/${link.id}`],
      ['post', '/explain?platform=ios'],
      ['post', `/links/${link.id}/explain?platform=ios`],
    ] as const)
      expect((await api(method, path).send(unknown).expect(400)).body).toMatchObject({ error: { details } });
    const reversed = { active_from: '2027-01-02T00:00:00Z', active_until: '2027-01-01T00:00:00Z' };
    const operations = [
      { op: 'create', link: { name: 'Fine', template: 'Mails' } },
      { op: 'create', link: unknown },
      { op: 'update', id: link.id, link: { template: 'mails' } },
      { op: 'update', id: link.id, link: reversed },
    ];
    const bulk = await api('post', '/links/bulk').send({ operations }).expect(200);
    const { results } = (bulk.body as { data: { results: object[] } }).data;
    expect(results).toMatchObject([
      { data: { template: 'Mails' } },
      { error: { details } },
      { error: { details } },
      { error: { details: [{ code: 'too_small', path: ['active_until'] }] } },
    ]);
    await api('put', `/links/${link.id}`).send({ template: null }).expect(200);
    const [{ data: fine }] = results as [{ data: LinkBody }];
    await api('delete', `/links/${fine.id}`).expect(200);
    await api('delete', `/link-templates/${template.id}`).expect(200);
  });

  test('is one of fifty at most', async () => {
    const full = await aProject(on, account.key);
    for (let number = 0; number < 50; number++) await aTemplate(on, account.key, full.id, { name: `T${number}` });
    const send = on.api('post', `/projects/${full.id}/link-templates`, account.key);
    expect((await send.send({ name: 'T50' }).expect(403)).body).toMatchObject({
      error: { code: 'ACCESS_DENIED', details: { limit: 50, used: 50 } },
    });
  });
});
