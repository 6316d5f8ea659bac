import supertest from 'supertest';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aShortLink, updated } from '../support/builders';
import { eventually } from '../support/eventually';
import { accountFixture, serviceFixture, projectFixture, fixture } from '../support/fixtures';
import { explainVisit } from '../diagnostics/explain/read-answer';
import { analytics } from '../clicks/recording/counting';
import { userAgents } from '../link-routing/user-agents';
import { sendRequest } from '../support/raw-http';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account);
const link = fixture(async () => {
  const iosApp = await anIosApp(on, account.key, project.id, { appstore_id: '1234567890' });
  const androidApp = await anAndroidApp(on, account.key, project.id);
  return aDynamicLink(on, account.key, project.id, {
    custom_path: 'sale',
    desktop_url: 'https://example.com/',
    ios_app_id: iosApp.id,
    android_app_id: androidApp.id,
    ios_deferred_deep_link: true,
    social_title: 'Sale',
  });
});
beforeAll(() => aShortLink(on, account.key, project.id, link.id, { slug: 'short' }));

const visit = (path: string, headers: Record<string, string> = {}) => on.visit(project.subdomain, path, headers);

/** Counts no click. */
const head = () => supertest(on.url).head('/sale').redirects(0).set('Host', `${project.subdomain}.localhost`);

const setDisabled = async (disabled: boolean): Promise<void> => {
  await on.api('put', `/projects/${project.id}/links/${link.id}`, account.key).send({ disabled }).expect(200);
  await eventually(async () => ((await head()).status === 410) === disabled);
};

const clicks = async () => (await analytics(on, account.key, project.id, {}, link.id)).totals.clicks;

describe('a disabled link', () => {
  beforeAll(() => setDisabled(true));
  afterAll(() => setDisabled(false));

  test.each([
    ['desktop', '/sale', {}],
    ['a preview', '/sale', { 'User-Agent': userAgents.slackbot }],
    ['a short link', '/short', {}],
    ['a query', '/sale?_via=page&a=b', {}],
  ])('answers 410 with a page for %s', async (_, path, headers) => {
    const answer = await visit(path, headers);
    expect([answer.status, answer.headers['location']]).toEqual([410, undefined]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.text).toContain('<h1>This link is disabled</h1>');
    const german = await visit(path, { ...headers, 'Accept-Language': 'de' });
    expect(german.headers).toMatchObject({ 'content-language': 'de', vary: 'Accept-Language' });
    expect(german.text).toContain('<h1>Dieser Link ist deaktiviert</h1>');
    expect(answer.text).not.toContain('example.com');
  });

  test('is explained', async () => {
    const ids = { projectId: project.id, linkId: link.id };
    const explanation = await explainVisit(on, account.key, ids, { platform: 'ios' });
    expect(explanation.answer).toMatchObject({ kind: 'disabled', status: 410, location: null, issues_token: false });
    expect(explanation.answer.page).toMatchObject({ title: 'This link is disabled', links: [] });
    expect(explanation.steps.at(-1)).toMatchObject({ rule: 'disabled', outcome: 'taken' });
    expect(explanation.apps).toHaveLength(2);
  });
});

test('the association files do not change', async () => {
  const files = async () =>
    Promise.all(
      ['apple-app-site-association', 'assetlinks.json'].map(async (name) => (await visit(`/.well-known/${name}`)).text),
    );
  const before = await files();
  await setDisabled(true);
  expect(await files()).toEqual(before);
  await setDisabled(false);
});

test('a visit counts no click while the link is disabled', async () => {
  await visit('/sale', { 'User-Agent': userAgents.pixel });
  await eventually(async () => (await clicks()) > 0);
  const before = await clicks();
  await setDisabled(true);
  await visit('/sale', { 'User-Agent': userAgents.pixel });
  await setDisabled(false);
  await visit('/sale', { 'User-Agent': userAgents.pixel });
  await eventually(async () => (await clicks()) > before);
  expect(await clicks()).toBe(before + 1);
});

const signed = 'https://example.com/a?signature=1';

test('link and project say which parameters of visitors destinations get', async () => {
  const { key } = await on.anAccount('enterprise');
  const project = await aProject(on, key, { query_forwarding: 'listed', forwarded_params: ['gclid'] });
  const app = await anAndroidApp(on, key, project.id);
  const link = await aDynamicLink(on, key, project.id, { desktop_url: signed, referrer_params: { ref: 'x' } });
  const store = await aDynamicLink(on, key, project.id, { android_app_id: app.id });
  const { slug } = await aShortLink(on, key, project.id, link.id);
  const locationOf = async (path: string, agent = '') => {
    const headers = { Host: `${project.subdomain}.localhost`, 'User-Agent': agent };
    return (await sendRequest(on.url, `GET /${path}?fbclid=1&gclid=2&_via=open`, headers)).headers['location'];
  };

  for (const path of [link.custom_path, slug]) expect(await locationOf(path)).toBe(`${signed}&ref=x&gclid=2`);
  const referrer = new URL((await locationOf(store.custom_path, userAgents.pixel))!).searchParams.get('referrer');
  expect(referrer).toMatch(/^gclid=2&deferred_link=[\w-]+$/);

  for (const [changed, query_forwarding, params] of [
    [`/links/${link.id}`, 'all', '&fbclid=1&gclid=2'],
    [`/links/${link.id}`, 'none', ''],
    [`/links/${link.id}`, null, '&gclid=2'],
    ['', 'none', ''],
  ] as const) {
    await updated(on, key, `/projects/${project.id}${changed}`, { query_forwarding });
    await eventually(async () => (await locationOf(slug)) === `${signed}&ref=x${params}`);
  }

  const asked = { platform: 'desktop', query: 'fbclid=1' };
  const { answer, steps } = await explainVisit(on, key, { projectId: project.id, linkId: link.id }, asked);
  expect(answer.location).toBe(`${signed}&ref=x`);
  expect(steps).toContainEqual(expect.objectContaining({ rule: 'query_forwarding', finding: 'none' }));
});
