import { BackgroundWriter } from '../../src/link-traffic/recording/background-writer';
import { aDynamicLink, aProject, aShortLink, unique } from '../support/builders';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { aServiceOfTest, serviceFixture, accountFixture, projectFixture, fixture } from '../support/fixtures';
import { aCampaign, androidToken, claim, iosToken, startOfMinute } from './deferred-links/claim-link';
import { openLink } from './open-link';
import { explainVisit } from '../diagnostics/explain/read-answer';

const on = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'X-Country' });
const account = accountFixture(on);
const project = projectFixture(on, account);
const link = fixture(() =>
  aDynamicLink(on, account.key, project.id, {
    custom_path: 'summer/sale',
    desktop_url: 'https://shop.example.com/summer?kept=1',
    external_id: 'crm-1',
    referrer_params: { utm_source: 'mail' },
    app_data: { screen: 'offer' },
  }),
);
let slug: string;
beforeAll(async () => ({ slug } = await aShortLink(on, account.key, project.id, link.id)));

const hostOf = (subdomain: string) => `${subdomain}.localhost`;
const app = { bundle_id: 'com.acme.app', version: '3.2.1' };

/** Opens a link of the project. */
const open = (path: string, fields: object = {}) => openLink(on, project.subdomain, path, fields);

interface Sum {
  event: string;
  platform: string;
  version: string;
  country: string;
  times: number;
}

const sums = (projectId: string): Promise<Sum[]> =>
  on.database.query<Sum>(
    `SELECT event, platform, version, country, sum(times)::int AS times FROM app_event_sums WHERE project_id = $1
     GROUP BY event, platform, version, country ORDER BY event, platform, version`,
    [projectId],
  );

/** Creates a link with the path `a` in a new project, and returns how it is opened. */
const aLink = async (fields: Record<string, unknown> = {}) => {
  const made = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, made.id, { custom_path: 'a', ...fields });
  const openIt = (fields: object = {}, headers: Record<string, string> = {}, service = on) =>
    openLink(service, made.subdomain, '/a', fields, headers);
  return { made, link, open: openIt };
};

test('an open gets the link, with the destination of computers', async () => {
  const answer = await open('/summer/sale?x=1&y=2&x=%C3%A4+b&_via=qr');
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      data: {
        path: 'summer/sale',
        full_url: link.full_url,
        external_id: 'crm-1',
        destination: 'https://shop.example.com/summer?kept=1&utm_source=mail&x=1&y=2&x=%C3%A4+b',
        variant: null,
        referrer_params: { utm_source: 'mail' },
        params: { x: ['1', 'ä b'], y: '2' },
        app_data: { screen: 'offer' },
        click_id: null,
      },
    },
  ]);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
});

test.each(['', 'x=1&y=2&x=%C3%A4+b&_via=qr', 'a=%zz&b=ä'])(
  'explain shows the answer to an open with the query %j',
  async (query) => {
    const explain = async (place: { linkId?: string }, path?: string) => {
      const parameters = { platform: 'ios', query, path };
      return (await explainVisit(on, account.key, { projectId: project.id, ...place }, parameters)).open;
    };
    const expected = (await open(`/summer/sale?${query}`).expect(200)).body.data;
    expect(await explain({ linkId: link.id })).toEqual(expected);
    for (const path of ['summer/sale', 'SUMMER/sale/', slug]) expect(await explain({}, path)).toEqual(expected);
    for (const path of ['unknown', undefined]) expect(await explain({}, path)).toBeNull();
  },
);

test.each<[string, () => string, Record<string, unknown>]>([
  ['a slug', () => `/${slug}`, { path: 'summer/sale', params: {} }],
  ['another letter case', () => '/SUMMER/Sale', { path: 'summer/sale' }],
  ['a final slash and a fragment', () => '/summer/sale/?x=1#top', { params: { x: '1' } }],
  ['a parameter that objects have', () => '/summer/sale?constructor=1', { params: { constructor: '1' } }],
])('%s leads to the link', async (_, path, expected) => {
  expect((await open(path())).body.data).toMatchObject(expected);
});

test('a link without destination, parameters and data answers null', async () => {
  const { made, open } = await aLink({ desktop_url: undefined });
  const answer = await open({ url: `http://${hostOf(made.subdomain)}/a` });
  expect(answer.body.data).toEqual({
    path: 'a',
    full_url: expect.stringMatching(/\/a$/),
    external_id: null,
    destination: null,
    variant: null,
    referrer_params: null,
    params: {},
    app_data: null,
    click_id: null,
  });
});

test.each<[string, string]>([
  ['an unknown path', 'https://HOST/unknown'],
  ['the root', 'https://HOST/'],
  ['a file of the system', 'https://HOST/.well-known/assetlinks.json'],
  ['a host of nobody', 'https://nobody-has-this.localhost/summer/sale'],
  ['a host outside', 'https://example.com/summer/sale'],
])('%s is not found', async (_, url) => {
  const sent = url.replace('HOST', hostOf(project.subdomain));
  expect(await open('', { url: sent })).toBeRefusedWith('NOT_FOUND');
});

test('links of other projects, of disabled and deleted links, and long links are not found, and not counted', async () => {
  const { made, link: other, open: openIt } = await aLink();
  const url = `https://${hostOf(made.subdomain)}/a`;
  const stranger = await aProject(on, (await on.anAccount()).key);
  for (const { subdomain } of [project, stranger])
    expect(await openLink(on, subdomain, '', { url })).toBeRefusedWith('NOT_FOUND');
  const put = (path: string, body: object) =>
    on.api('put', `/projects/${made.id}${path}`, account.key).send(body).expect(200);
  const explained = async (path: string) =>
    (await on.api('get', `/projects/${made.id}${path}`, account.key).expect(200)).body.data;
  const answers = (status: number, path = '/a') =>
    eventually(async () => (await on.visit(made.subdomain, path)).status === status);

  await put('', { long_link_destinations: ['example.com'] });
  const query = 'link=https%3A%2F%2Fexample.com%2F';
  await answers(302, `/?${query}`);
  expect(await openLink(on, made.subdomain, `/?${query}`)).toBeRefusedWith('NOT_FOUND');
  const ofLong = await explained(`/explain?platform=ios&query=${query}`);
  expect(ofLong).toMatchObject({ answer: { kind: 'redirect' }, open: null });
  await put(`/links/${other.id}`, { disabled: true });
  await answers(410);
  expect((await explained(`/links/${other.id}/explain?platform=ios`)).open).toBeNull();
  expect(await openIt()).toBeRefusedWith('NOT_FOUND');
  await on.api('delete', `/projects/${made.id}/links/${other.id}`, account.key).expect(200);
  await answers(404);
  expect(await openIt()).toBeRefusedWith('NOT_FOUND');
  expect(await sums(made.id)).toEqual([]);
});

test('a former host and the open host answer, and the URL may have any of them', async () => {
  const { made } = await aLink();
  const present = unique('renamed');
  await on.api('put', `/projects/${made.id}`, account.key).send({ subdomain: present }).expect(200);
  await eventually(async () => (await on.visit(present, '/a')).status === 302);
  const hosts = [made.subdomain, present, `${present}-open`];
  for (const subdomain of hosts)
    for (const of of hosts) {
      const answer = await openLink(on, subdomain, '', { url: `https://${hostOf(of)}/a` });
      expect([answer.status, answer.body.data.full_url]).toEqual([200, `http://${hostOf(present)}:3000/a`]);
    }
  expect(await sums(made.id)).toMatchObject([{ event: 'open', times: 9 }]);
});

test.each<[string, Record<string, unknown>, string, string[]]>([
  ['no URL', { url: undefined }, 'required', ['url']],
  ['a path', { url: '/summer/sale' }, 'invalid_format', ['url']],
  ['a scheme of an app', { url: 'acme://summer/sale' }, 'invalid_format', ['url']],
  ['a long URL', { url: `https://a.localhost/${'x'.repeat(8200)}` }, 'too_big', ['url']],
  ['no app', { app: undefined }, 'required', ['app']],
  ['a list as app', { app: [] }, 'invalid_type', ['app']],
  ['both systems', { app: { ...app, package_name: 'a.b' } }, 'invalid_type', ['app']],
  ['neither system', { app: { version: '1' } }, 'invalid_type', ['app']],
  ['no version', { app: { bundle_id: 'a.b' } }, 'required', ['app', 'version']],
  ['an empty version', { app: { ...app, version: '' } }, 'too_small', ['app', 'version']],
  ['a long build', { app: { ...app, build: 'x'.repeat(51) } }, 'too_big', ['app', 'build']],
  ['no id', { open_id: undefined }, 'required', ['open_id']],
  ['a short id', { open_id: 'x'.repeat(21) }, 'too_small', ['open_id']],
  ['a long id', { open_id: 'x'.repeat(65) }, 'too_big', ['open_id']],
  ['an id with other characters', { open_id: `${'x'.repeat(22)}.` }, 'invalid_format', ['open_id']],
])('%s is refused', async (_, fields, code, path) => {
  const answer = await open('/summer/sale', fields);
  const message = expect.stringMatching(new RegExp(`^${path.join('\\.')} (is required|must )`)) as string;
  expect(answer).toBeRefusedWith('INVALID_INPUT', [{ code, path, message }]);
});

test.each<[Record<string, unknown>]>([[{ token: 'x' }], [{ app: { ...app, name: 'x' } }]])(
  'the unknown field in %j is refused',
  async (fields) => {
    expect(await open('/summer/sale', fields)).toBeRefusedWith('FORBIDDEN_FIELD');
  },
);

test('other methods are not allowed, and GET visits a link with this path', async () => {
  const { made } = await aLink({ custom_path: 'links/open' });
  const headers = { Host: hostOf(made.subdomain) };
  for (const method of ['PUT', 'DELETE']) {
    const answer = await sendRequest(on.url, `${method} /links/open`, headers);
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  }
  expect((await on.visit(made.subdomain, '/links/open')).status).toBe(302);
});

test.each(['/links/open', '/deferred-links/claim'])('%s answers pages of other origins', async (path) => {
  const { made } = await aLink();
  const headers = { Host: hostOf(made.subdomain), Origin: 'capacitor://localhost' };
  const preflight = await sendRequest(on.url, `OPTIONS ${path}`, headers);
  expect([preflight.status, preflight.headers]).toMatchObject([
    204,
    {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '86400',
    },
  ]);
  const refused = await sendRequest(on.url, `POST ${path}`, { ...headers, 'Content-Type': 'application/json' }, '{}');
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([400, '*']);
  expect((await sendRequest(on.url, 'OPTIONS /summer', headers)).status).toBe(405);
});

test('an open counts once by its id, over replicas, and by platform, version and country', async () => {
  const { made, open } = await aLink();
  const replica = await aServiceOfTest({}, on.database);
  const id = { open_id: 'x'.repeat(22) };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => open(id, { 'X-Country': 'de' }, at % 2 ? on : replica)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await sums(made.id)).map(({ times }) => times)).toEqual([1]);
  for (const [version, country] of [
    ['1.0+b-2_x', 'FR'],
    ['ä', ''],
    ['x'.repeat(21), ''],
  ] as const)
    await open({ app: { package_name: 'com.acme.app', version, build: '7' } }, { 'X-Country': country }).expect(200);
  expect((await sums(made.id)).filter(({ platform }) => platform === 'android')).toEqual([
    { event: 'open', platform: 'android', version: '*', country: '', times: 2 },
    { event: 'open', platform: 'android', version: '1.0+b-2_x', country: 'FR', times: 1 },
  ]);
});

test('the same id in another project is another open', async () => {
  for (const { made, open } of [await aLink(), await aLink()]) {
    await open({ open_id: 'y'.repeat(22) }).expect(200);
    expect(await sums(made.id)).toMatchObject([{ times: 1 }]);
  }
});

test('versions beyond the limit of a project and day are counted together', async () => {
  const { made, open } = await aLink();
  const versions = Array.from({ length: 103 }, (_, at) => `1.${at}`);
  await Promise.all(versions.map((version) => open({ app: { ...app, version } }).expect(200)));
  const counted = await sums(made.id);
  expect([counted.length, counted.find(({ version }) => version === '*')?.times]).toEqual([101, 3]);
});

test('a claim counts once, with the platform of its token', async () => {
  const made = await aCampaign(on, {}, account.key);
  const tokens = [await iosToken(on, made), await androidToken(on, made), await androidToken(on, made)];
  for (const token of [...tokens, ...tokens]) await claim(on, made.project.subdomain, token, { 'X-Country': 'AT' });
  expect((await sums(made.project.id)).filter(({ event }) => event === 'claim')).toEqual([
    { event: 'claim', platform: 'android', version: '', country: 'AT', times: 2 },
    { event: 'claim', platform: 'ios', version: '', country: 'AT', times: 1 },
  ]);
});

test('sums of a deleted project are removed', async () => {
  const { made, open } = await aLink();
  await open().expect(200);
  expect(await sums(made.id)).toHaveLength(1);
  await on.api('delete', `/projects/${made.id}`, account.key).expect(200);
  while ((await on.database.query<{ more: boolean }>('SELECT purge_clicks(1000) AS more'))[0]!.more);
  expect(await sums(made.id)).toEqual([]);
});

test('the upkeep removes ids after a week, and sums after the retention', async () => {
  const { made, open } = await aLink();
  await open().expect(200);
  const old = "now() - interval '8 days'";
  await on.database.query(
    `UPDATE app_event_ids SET seen_at = ${old} WHERE digest = (SELECT digest FROM app_event_ids LIMIT 1)`,
  );
  await on.database.query("UPDATE app_event_sums SET quarter = quarter - interval '14 months' WHERE project_id = $1", [
    made.id,
  ]);
  const [before] = await on.database.query<{ count: number }>('SELECT count(*)::int FROM app_event_ids');
  while ((await on.database.query<{ more: boolean }>('SELECT purge_app_events(13, 1000) AS more'))[0]!.more);
  const [after] = await on.database.query<{ count: number }>('SELECT count(*)::int FROM app_event_ids');
  expect([before!.count - after!.count, await sums(made.id)]).toEqual([1, []]);
});

test('an open is 503 while too many wait, and a repeated one is counted', async () => {
  const { made, open } = await aLink();
  const id = { open_id: 'z'.repeat(22) };
  const full = jest.spyOn(BackgroundWriter.prototype, 'isFull', 'get').mockReturnValue(true);
  const refused = await open(id);
  full.mockRestore();
  expect(refused).toBeRefusedWith('DATABASE_ERROR');
  expect(refused.headers['retry-after']).toBe('5');
  expect(await sums(made.id)).toEqual([]);
  await open(id).expect(200);
  expect(await sums(made.id)).toMatchObject([{ times: 1 }]);
});

test('opens are counted by address, apart from claims', async () => {
  const limited = await aServiceOfTest({ RATE_LIMIT_PER_MINUTE: '5' }, on.database);
  startOfMinute(limited);
  const openIt = () => openLink(limited, project.subdomain, '/summer/sale');
  for (let at = 0; at < 5; at++) await openIt().expect(200);
  expect(await openIt()).toBeRefusedWith('RATE_LIMITED');
  expect((await openIt()).headers['retry-after']).toMatch(/^\d+$/);
  expect((await claim(limited, project.subdomain, 'x')).status).toBe(404);
});
