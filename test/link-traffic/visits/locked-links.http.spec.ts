import { analytics } from '../../clicks/recording/counting';
import { userAgents } from '../../link-routing/user-agents';
import { explainVisit } from '../../diagnostics/explain/read-answer';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aShortLink, type LinkBody } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { accountFixture, projectFixture, serviceFixture } from '../../support/fixtures';
import { claim, startOfMinute } from '../deferred-links/claim-link';
import { openLink } from '../open-link';
import { lockLimits } from '../../../src/link-traffic/visits/locked-links';
import { inParallel } from '../../support/in-parallel';
import { type RawAnswer, sendRequest } from '../../support/raw-http';
import type { TestService } from '../../support/service';

const on = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1/32' });
const second = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1/32' }, () => on.database);
const account = accountFixture(on);
const project = projectFixture(on, account);

const destination = 'https://shop.example.com/secret';
const password = 'Schlüssel 1&2';

const aLink = (fields: object, of = project) =>
  aDynamicLink(on, account.key, of.id, { desktop_url: destination, ...fields });

interface Sent {
  method?: 'GET' | 'HEAD';
  headers?: Record<string, string>;
  at?: TestService;
}

const visit = (path: string, { method = 'GET', headers = {}, at = on }: Sent = {}): Promise<RawAnswer> =>
  sendRequest(at.url, `${method} /${path}`, { Host: `${project.subdomain}.localhost`, ...headers });

let addresses = 0;

/** Sends the form of the page, each time from another address, because passwords are limited by it. */
const submit = (path: string, fields: Record<string, string> = {}, { headers = {}, at = on }: Sent = {}) =>
  sendRequest(
    at.url,
    `POST /${path}`,
    {
      Host: `${project.subdomain}.localhost`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': `10.0.${addresses >> 8}.${addresses++ & 255}`,
      ...headers,
    },
    new URLSearchParams(fields).toString(),
  );

const pathOf = ({ id }: { id: string }) => `/projects/${project.id}/links/${id}`;
const change = (link: LinkBody, fields: object) => on.api('put', pathOf(link), account.key).send(fields).expect(200);
const lifeOf = async (link: LinkBody) =>
  (await on.api('get', `${pathOf(link)}/life`, account.key).expect(200)).body.data as Record<string, unknown>;

const explain = ({ id }: LinkBody, platform: string) =>
  explainVisit(on, account.key, { projectId: project.id, linkId: id }, { platform });
/** Waits for the status of visits on both replicas. */
const bothAnswer = async ({ custom_path }: LinkBody, expected: number | string) => {
  for (const at of [on, second])
    await eventually(async () => {
      const { status, headers } = await visit(custom_path, { at });
      return [status, headers['location']].includes(expected);
    });
};

const scanners: [name: string, sent: Sent][] = [
  ['HEAD', { method: 'HEAD' }],
  ['GET', {}],
  ['a prefetch', { headers: { 'Sec-Purpose': 'prefetch', 'User-Agent': userAgents.pixel } }],
  ['a preview crawler', { headers: { 'User-Agent': userAgents.slackbot } }],
  ['a scanner with the user agent of a phone', { headers: { 'User-Agent': userAgents.iphone } }],
  ['a scanner with the user agent of a browser', { headers: { 'User-Agent': userAgents.desktop } }],
];

const locks: [name: string, fields: object, text: string][] = [
  ['a password', { password }, 'Password required'],
  ['a limit', { click_limit: 1 }, 'Open this link?'],
  ['both', { password, click_limit: 1 }, 'Password required'],
];

describe.each(locks)('a link with %s', (_, fields, text) => {
  let link: LinkBody;
  beforeAll(async () => {
    const rules = [{ when: { qr: true }, then: { url: `${destination}/rule` } }];
    link = await aLink({ ...fields, social_title: 'Sale', rules, app_data: { screen: 'secret' } });
  });

  test.each(scanners)('shows a page to %s, and no destination', async (_, sent) => {
    const answer = await visit(`${link.custom_path}?_via=qr`, sent);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    if (sent.method !== 'HEAD') expect(answer.text).toContain(text);
    expect(answer.head + answer.text).not.toContain('shop.example.com');
    expect(await lifeOf(link)).toEqual({ state: 'active', clicks_used: 0, ended_visits: 0 });
  });

  test('is explained so', async () => {
    const explained = await explain(link, 'ios');
    expect(explained).toMatchObject({ answer: { kind: 'locked', status: 200, location: null }, open: null, apps: [] });
    expect(explained.steps.at(-1)).toMatchObject({ rule: 'lock', outcome: 'taken' });
  });

  test('is not opened by an app, nor by a form of another site', async () => {
    const opened = await openLink(on, project.subdomain, `/${link.custom_path}`);
    expect([opened.status, opened.text]).toEqual([404, expect.not.stringContaining('secret')]);
    const foreign = await submit(link.custom_path, { password }, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect([foreign.status, foreign.headers['location']]).toEqual([200, undefined]);
  });

  test('opens by the form, also at a short link, and with rules and parameters', async () => {
    const { slug } = await aShortLink(on, account.key, project.id, link.id);
    expect((await visit(slug)).text).toContain(text);
    const answer = await submit(`${slug}?_via=qr&a=1`, { password });
    expect([answer.status, answer.headers['location']]).toEqual([303, `${destination}/rule?a=1`]);
    expect(answer.headers['cache-control']).toBe('private, no-store');
  });
});

test('a wrong password is refused, and uses nothing up', async () => {
  const link = await aLink({ password, click_limit: 1 });
  for (const fields of [{ password: 'wrong' }, {}, { password: 'x'.repeat(5000) }] as Record<string, string>[]) {
    const answer = await submit(link.custom_path, fields, { headers: { 'Accept-Language': 'de' } });
    expect([answer.status, answer.headers['location']]).toEqual([403, undefined]);
    expect(answer.text).toContain('Das Passwort ist nicht richtig.');
  }
  expect(await lifeOf(link)).toMatchObject({ clicks_used: 0 });
  // Letters are composed in another way on other keyboards.
  const right = { password: password.normalize('NFD') };
  expect((await submit(link.custom_path, right)).headers['location']).toBe(destination);
  expect(await lifeOf(link)).toMatchObject({ state: 'used_up', clicks_used: 1 });
});

describe('within a minute', () => {
  // The limits count by minutes, and the machine may need a second for a password.
  beforeEach(() => {
    on.clock.stop();
    startOfMinute(on);
  });
  afterEach(() => {
    on.clock.ahead = 0;
    on.clock.goOn();
  });

  test('passwords are limited by address', async () => {
    const other = await aProject(on, account.key);
    const link = await aLink({ password }, other);
    const headers = { Host: `${other.subdomain}.localhost`, 'X-Forwarded-For': '192.0.2.7' };
    for (let at = 0; at < lockLimits.passwordsOfAddress; at++)
      expect((await submit(link.custom_path, { password: 'wrong' }, { headers })).status).toBe(403);
    const { status, headers: sent } = await submit(link.custom_path, { password }, { headers });
    expect([status, Number(sent['retry-after'])]).toEqual([429, 60]);
  });

  test('an address above its limit leaves the attempts of a link to others', async () => {
    const other = await aProject(on, account.key);
    const link = await aLink({ password }, other);
    const host = { Host: `${other.subdomain}.localhost` };
    const attempt = (from: string, value: string) =>
      submit(link.custom_path, { password: value }, { headers: { ...host, 'X-Forwarded-For': from } });
    for (let at = 0; at < lockLimits.passwordsOfLink; at++) await attempt('192.0.2.8', 'wrong');
    expect((await attempt('192.0.2.9', password)).status).toBe(303);
  });
});

test('a page after a wrong password has the referring host of the first', async () => {
  const link = await aLink({ password });
  for (const sent of ['wrong', password + password]) {
    const { text } = await submit(link.custom_path, { password: sent, referrer: 'https://news.example.com/' });
    expect(text).toContain('<input type="hidden" name="referrer" value="https://news.example.com/">');
  }
});

test('the form of a page counts apart if the link has ended meanwhile', async () => {
  const link = await aLink({ click_limit: 1 });
  await change(link, { active_until: new Date(Date.now() - 60_000).toISOString() });
  await eventually(async () => (await submit(link.custom_path)).status === 410);
  await eventually(async () => Number((await lifeOf(link))['ended_visits']) > 0);
});

test('another limit is explained before it is saved', async () => {
  const link = await aLink({ click_limit: 1 });
  expect((await submit(link.custom_path)).status).toBe(303);
  for (const [click_limit, rule] of [
    [2, 'lock'],
    [null, 'desktop_url'],
    [1, 'life'],
  ] as const) {
    const path = `${pathOf(link)}/explain?platform=desktop`;
    const { body } = await on.api('post', path, account.key).send({ click_limit }).expect(200);
    expect(body.data.steps).toContainEqual(expect.objectContaining({ rule }));
  }
});

test('50 forms on two replicas use up exactly ten clicks, and then the link has ended on both', async () => {
  const link = await aLink({ click_limit: 10 });
  const services = [on, second];
  await bothAnswer(link, 200);
  const replicas = Array.from({ length: 50 }, (_, nth) => services[nth % 2]!);
  const answers = await inParallel(replicas, (at) => submit(link.custom_path, {}, { at }));
  const opened = answers.filter(({ headers }) => headers['location'] === destination);
  expect([opened.length, answers.filter(({ status }) => status === 410).length]).toEqual([10, 40]);
  await bothAnswer(link, 410);
  await change(link, { expired_url: 'https://shop.example.com/over' });
  await bothAnswer(link, 'https://shop.example.com/over');
  const explained = await explain(link, 'desktop');
  expect(explained.steps.at(-1)).toMatchObject({ rule: 'life', finding: 'used_up', outcome: 'taken' });
  expect(await lifeOf(link)).toMatchObject({ state: 'used_up', clicks_used: 10 });
  // A higher limit lets more through, and a lower one ends the link.
  await change(link, { click_limit: 11 });
  await bothAnswer(link, 200);
  expect((await submit(link.custom_path)).headers['location']).toBe(destination);
  await change(link, { click_limit: null });
  await eventually(async () => (await visit(link.custom_path)).headers['location'] === destination);
  await change(link, { click_limit: 5 });
  await eventually(async () => (await visit(link.custom_path)).status !== 200);
  expect(await lifeOf(link)).toMatchObject({ state: 'used_up', clicks_used: 11 });
});

test('an opened link counts a click, and visits after its end count apart', async () => {
  const link = await aLink({ click_limit: 1 });
  const person = { 'User-Agent': userAgents.pixel };
  expect((await submit(link.custom_path, {}, { headers: person })).status).toBe(303);
  await eventually(async () => (await visit(link.custom_path)).status === 410);
  await visit(link.custom_path, { headers: person });
  for (const [, sent] of scanners.slice(0, 4)) await visit(link.custom_path, sent);
  await eventually(async () => Number((await lifeOf(link))['ended_visits']) > 0);
  expect((await analytics(on, account.key, project.id, {}, link.id)).totals.clicks).toBe(1);
});

test('neither answers, exports nor the journal have the password or its hash', async () => {
  const link = await aLink({ password });
  await change(link, { password: 'another one' });
  const [row] = await on.database.query<{ hash: string }>(
    `SELECT encode(password_hash, 'hex') AS hash FROM dynamic_links WHERE id = $1`,
    [link.id],
  );
  expect(row!.hash).toMatch(/^[0-9a-f]{96}$/);
  const key = row!.hash.slice(32);
  await on.database.query('SELECT seal_journal(1000)');
  const texts = await Promise.all(
    [
      pathOf(link),
      `/projects/${project.id}/links`,
      ...['csv', 'ndjson', 'signpost'].map((format) => `/projects/${project.id}/links/export?format=${format}`),
      `/projects/${project.id}/history?resource_id=${link.id}`,
    ].map(async (path) =>
      (await fetch(`${on.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${account.key}` } })).text(),
    ),
  );
  for (const text of texts) for (const secret of [password, 'another one', key]) expect(text).not.toContain(secret);
  expect(texts[0]).toContain('"has_password":true');
  // The change is in the history, with a part of the salt.
  expect(texts.at(-1)!.match(/"password_hash":"\\\\x[0-9a-f]{16}"/g)).toHaveLength(3);
});

test('a restored link stays locked until it gets a new password', async () => {
  const link = await aLink({ password });
  await on.api('delete', pathOf(link), account.key).expect(200);
  await on.database.query('SELECT seal_journal(1000)');
  const history = `/projects/${project.id}/history`;
  const { body } = await on.api('get', `${history}?resource_id=${link.id}&restorable=true`, account.key).expect(200);
  await on.api('post', `${history}/${body.data[0].sequence}/restore`, account.key).send({}).expect(200);
  await eventually(async () => (await visit(link.custom_path)).status === 200);
  expect((await submit(link.custom_path, { password })).status).toBe(403);
  await change(link, { password });
  await eventually(async () => (await submit(link.custom_path, { password })).headers['location'] === destination);
});

test('no app gets the path of a locked link, nor claims it', async () => {
  const other = await aProject(on, account.key);
  const host = { Host: `${other.subdomain}.localhost` };
  const ios = await anIosApp(on, account.key, other.id, { appstore_id: '123' });
  const android = await anAndroidApp(on, account.key, other.id);
  const apps = { ios_app_id: ios.id, android_app_id: android.id };
  const link = await aLink({ ...apps, desktop_url: undefined, app_data: { a: 1 } }, other);
  const phone = { ...host, 'User-Agent': userAgents.pixel };
  const { headers } = await visit(link.custom_path, { headers: phone });
  const token = /deferred_link(?:=|%3D)([\w-]{22})/.exec(headers['location'] ?? '')?.[1];
  expect(token).toBeDefined();
  const locked = { password, ios_deferred_deep_link: true };
  await on.api('put', `/projects/${other.id}/links/${link.id}`, account.key).send(locked).expect(200);
  await claim(on, other.subdomain, token).expect(404);
  const apple = await visit('.well-known/apple-app-site-association', { headers: host });
  expect(apple.text).toContain(`{"/":"/${link.custom_path}","exclude":true`);
  // Behind the password, a phone gets the store without a token, and no page that would open the app.
  for (const [userAgent, store] of [
    [userAgents.pixel, 'https://play.google.com/store/apps/details'],
    [userAgents.iphone, 'https://apps.apple.com/'],
  ] as const) {
    const opened = await submit(link.custom_path, { password }, { headers: { ...host, 'User-Agent': userAgent } });
    expect([opened.status, opened.headers['location']]).toEqual([303, expect.stringContaining(store)]);
    expect(opened.headers['location']).not.toContain('deferred_link');
  }
});

test('only a locked link takes a form', async () => {
  const link = await aLink({});
  for (const path of [link.custom_path, 'unknown', '']) {
    const answer = await submit(path);
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  }
  const ended = await aLink({ password, active_until: '2020-01-01T00:00:00Z' });
  expect((await submit(ended.custom_path, { password })).status).toBe(410);
  const early = await aLink({ password, active_from: '2090-01-01T00:00:00Z' });
  expect((await submit(early.custom_path, { password })).status).toBe(404);
});
