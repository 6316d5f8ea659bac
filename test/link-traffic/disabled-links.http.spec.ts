import supertest from 'supertest';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aShortLink, type ProjectBody } from '../support/builders';
import { eventually } from '../support/eventually';
import { aService, type TestAccount, type TestService } from '../support/service';
import { explainVisit } from '../diagnostics/explain/read-answer';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const pixel = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36';

let on: TestService;
let account: TestAccount;
let project: ProjectBody;
let linkId: string;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  project = await aProject(on, account.key);
  const iosApp = await anIosApp(on, account.key, project.id, { appstore_id: '1234567890' });
  const androidApp = await anAndroidApp(on, account.key, project.id);
  const link = await aDynamicLink(on, account.key, project.id, {
    custom_path: 'sale',
    desktop_url: 'https://example.com/',
    ios_app_id: iosApp.id,
    android_app_id: androidApp.id,
    ios_deferred_deep_link: true,
    social_title: 'Sale',
  });
  linkId = link.id;
  await aShortLink(on, account.key, project.id, linkId, { slug: 'short' });
});
afterAll(() => on.stop());

const visit = (path: string, headers: Record<string, string> = {}) => on.visit(project.subdomain, path, headers);

/** Counts no click. */
const head = () => supertest(on.url).head('/sale').redirects(0).set('Host', `${project.subdomain}.localhost`);

const setDisabled = async (disabled: boolean): Promise<void> => {
  await on.api('put', `/projects/${project.id}/links/${linkId}`, account.key).send({ disabled }).expect(200);
  await eventually(async () => ((await head()).status === 410) === disabled);
};

const clicks = async (): Promise<number> => {
  const answer = await on.api('get', `/projects/${project.id}/links/${linkId}/analytics`, account.key).expect(200);
  return (answer.body as { data: { totals: { clicks: number } } }).data.totals.clicks;
};

describe('a disabled link', () => {
  beforeAll(() => setDisabled(true));
  afterAll(() => setDisabled(false));

  test.each([
    ['desktop', '/sale', {}],
    ['iOS', '/sale', { 'User-Agent': iPhone }],
    ['Android', '/sale', { 'User-Agent': pixel }],
    ['an in-app browser', '/sale', { 'User-Agent': `${iPhone} Instagram 300.0.0` }],
    ['a preview', '/sale', { 'User-Agent': 'Slackbot-LinkExpanding 1.0' }],
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

  test('answers HEAD like GET, without a page', async () => {
    const answer = await head();
    expect([answer.status, answer.text ?? '', answer.headers['cache-control']]).toEqual([410, '', 'no-store']);
  });

  test('is explained', async () => {
    const ids = { projectId: project.id, linkId };
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
  await visit('/sale', { 'User-Agent': pixel });
  await eventually(async () => (await clicks()) > 0);
  const before = await clicks();
  await setDisabled(true);
  await visit('/sale', { 'User-Agent': pixel });
  await setDisabled(false);
  await visit('/sale', { 'User-Agent': pixel });
  await eventually(async () => (await clicks()) > before);
  expect(await clicks()).toBe(before + 1);
});
