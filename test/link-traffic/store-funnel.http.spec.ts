import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { eventually } from '../support/eventually';
import { serviceFixture, accountFixture, fixtureOfEach } from '../support/fixtures';
import { aCampaign, age, claim, dayMs, iosToken, unknownToken } from './deferred-links/claim-link';
import { expectedCounts, journeys, Visitor } from './store-simulation';

const on = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1' });
const account = accountFixture(on);
const made = fixtureOfEach(() => aCampaign(on, {}, account.key));

const post = (path: string, body: object) =>
  supertest(on.url)
    .post(path)
    .set({ Host: `${made.project.subdomain}.localhost` })
    .send(body);

const funnel = async (query = '') =>
  (await on.api('get', `/projects/${made.project.id}/analytics/store-funnel${query}`, account.key).expect(200)).body
    .data;

const sums = async (): Promise<Record<string, number>> => {
  const rows = await on.database.query<{ name: string; times: number }>(
    `SELECT concat_ws(' ', platform, nullif(browser, ''), event) AS name, sum(times)::int AS times FROM app_event_sums
     WHERE project_id = $1 AND event NOT IN ('open', 'claim') GROUP BY 1`,
    [made.project.id],
  );
  return Object.fromEntries(rows.map(({ name, times }) => [name, times]));
};

const app = { bundle_id: 'com.example.shop', version: '2.0' };
const aLaunch = (fields: object = {}) => ({ launch_id: randomBytes(16).toString('base64url'), app, ...fields });

test('visits and first launches with known outcomes give exactly these counts', async () => {
  const times = 2;
  const visitor = new Visitor(async (path, { method = 'GET', headers = {}, body }) => {
    const request = supertest(on.url)[method === 'GET' ? 'get' : method === 'HEAD' ? 'head' : 'post'](path);
    const answer = await request.set({ Host: `${made.project.subdomain}.localhost`, ...headers }).send(body);
    return { status: answer.status, headers: answer.headers, text: answer.text ?? '' };
  }, '/summer');
  for (let at = 0; at < times * journeys.length; at++) await visitor.make(at);
  const expected = expectedCounts(() => times);
  const counted = (all: Record<string, number>) => Object.values(all).reduce((sum, times) => sum + times, 0);
  await eventually(async () => counted(await sums()) >= counted(expected));
  expect(await sums()).toEqual(expected);

  const of = (event: string) =>
    counted(Object.fromEntries(Object.entries(expected).filter(([name]) => name.endsWith(` ${event}`))));
  const columns: Record<string, string> = { store: 'store_opened', first_open: 'first_opens' };
  const events = 'shown copied store first_open claimed none declined expired used offline_later'.split(' ');
  const totals = Object.fromEntries(events.map((event) => [columns[event] ?? event, of(event)]));
  const all = await funnel('?group_by=browser');
  expect(all.totals).toEqual(totals);
  expect(all.series.at(-1)).toMatchObject(totals);
  const grouped = all.groups as Record<string, unknown>[];
  expect(grouped.map(({ value }) => value).sort()).toEqual(['Facebook', 'Instagram', null]);
  for (const [name, total] of Object.entries(totals))
    expect([name, grouped.reduce((sum, group) => sum + Number(group[name]), 0)]).toEqual([name, total]);
  expect(grouped.find(({ value }) => value === 'Instagram')).toMatchObject({ shown: 6, copied: 6, first_opens: 4 });
  const byLink = await funnel(`?group_by=link&platform=android`);
  expect(byLink.groups[0]).toMatchObject({ value: made.link.id, path: 'summer', first_opens: 6, claimed: 4, used: 2 });
  expect(byLink.groups[1]).toMatchObject({ value: null, first_opens: 2, none: 2 });
  const ofInstagram = await funnel(`?link_id=${made.link.id}&browser=Instagram`);
  expect(ofInstagram.totals).toMatchObject({ first_opens: 4, none: 0 });
  const path = `/projects/${made.project.id}/analytics/store-funnel?group_by=platform&format=csv`;
  const csv = await on.api('get', path, account.key);
  expect(csv.text.replace('\ufeff', '').split('\r\n')[0]).toBe(`value,name,path,${Object.keys(totals).join(',')}`);
});

test('a step counts once for each token, and not without a valid one', async () => {
  const token = await iosToken(on, made);
  const before = await sums();
  for (let taps = 0; taps < 3; taps++) await post('/deferred-links/step', { token, step: 'copied' }).expect(200);
  await post('/deferred-links/step', { token: unknownToken, step: 'copied' }).expect(404);
  await post('/deferred-links/step', { token, step: 'claimed' }).expect(400);
  const other = await aCampaign(on, {}, account.key);
  await supertest(on.url)
    .post('/deferred-links/step')
    .set('Host', `${other.project.subdomain}.localhost`)
    .send({ token, step: 'store' })
    .expect(404);
  await claim(on, made.project.subdomain, token).expect(200);
  await post('/deferred-links/step', { token, step: 'store' }).expect(404);
  expect(await sums()).toEqual({ ...before, 'ios shown': 1, 'ios copied': 1 });
});

test('an installation has one first open and one outcome, and its number is kept as a digest', async () => {
  const launch = aLaunch();
  await post('/links/first-launch', launch).expect(200, { data: { counted: true } });
  await post('/links/first-launch', { ...launch, outcome: 'declined' }).expect(200);
  await post('/links/first-launch', { ...launch, outcome: 'claimed' }).expect(200);
  expect(await sums()).toEqual({ 'ios first_open': 1, 'ios declined': 1 });
  const digest = createHash('sha256').update(`${made.project.id} ${launch.launch_id} outcome`).digest();
  expect(await on.database.query('SELECT FROM app_event_ids WHERE digest = $1', [digest])).toHaveLength(1);
});

test.each([
  ['its URL, after the token is gone', () => ({ outcome: 'expired', url: made.link.full_url }), true],
  ['the URL of a foreign link', () => ({ outcome: 'expired', url: 'https://example.com/summer' }), false],
  ['nothing', () => ({ outcome: 'none' }), false],
])('the link of an outcome is known by %s: %#', async (_, fields, isKnown) => {
  await post('/links/first-launch', aLaunch(fields())).expect(200);
  expect((await funnel(`?link_id=${made.link.id}`)).totals.first_opens).toBe(isKnown ? 1 : 0);
});

test.each([
  ['no launch_id', { launch_id: undefined }],
  ['an unknown outcome', { outcome: 'lost' }],
  ['no app', { app: undefined }],
  ['a token of another form', { outcome: 'used', token: 'short' }],
])('a first launch with %s is refused', async (_, fields) => {
  await post('/links/first-launch', aLaunch(fields)).expect(400);
  expect(await sums()).toEqual({});
});

test('a page counts no step after the lifetime of its token', async () => {
  const token = await iosToken(on, made);
  await post('/deferred-links/step', { token, step: 'copied' }).expect(200);
  await age(on, 7 * dayMs);
  await post('/deferred-links/step', { token, step: 'store' }).expect(404);
});
