import { once } from 'node:events';
import { connect } from 'node:net';
import supertest from 'supertest';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aShortLink } from '../../support/builders';
import { untilLocked } from '../../support/lock-waits';
import { withoutTable, withTransaction } from '../../support/other-session';
import { accountFixture, fixtureOfEach, serviceFixture } from '../../support/fixtures';
import { withService } from '../../support/service';
import { userAgents } from '../../link-routing/user-agents';
import { analytics, clicksBy, untilCounted } from './counting';

const on = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'X-Country' });
const account = accountFixture(on);
const project = fixtureOfEach(() => aProject(on, account.key));
let linkId: string;
beforeEach(async () => (linkId = (await aDynamicLink(on, account.key, project.id, { custom_path: 'sale' })).id));

const visit = (headers: Record<string, string> = {}, path = '/sale') => on.visit(project.subdomain, path, headers);
const counted = (visits: number, groupBy?: string, includeBots = false) =>
  untilCounted(on, account.key, project.id, visits, {
    include_bots: includeBots,
    ...(groupBy !== undefined && { group_by: groupBy }),
  });

describe('a visit is counted once', () => {
  test('on any device', async () => {
    for (const name of ['iphone', 'pixel', 'desktop', 'instagramOnIphone'] as const)
      await visit({ 'User-Agent': userAgents[name] });
    await visit();
    expect((await counted(5)).totals).toEqual({ clicks: 5, qr_scans: 0, bots: 0 });
    expect(clicksBy(await counted(5, 'platform'))).toEqual({ ios: 2, android: 1, desktop: 2 });
    expect(clicksBy(await counted(5, 'browser'))).toEqual({ Safari: 1, Chrome: 2, Instagram: 1, null: 1 });
  });

  test('with any answer: a redirect, a page, a store', async () => {
    const ios = await anIosApp(on, account.key, project.id, { appstore_id: '1' });
    const android = await anAndroidApp(on, account.key, project.id);
    const apps = { ios_app_id: ios.id, android_app_id: android.id, desktop_url: undefined };
    await aDynamicLink(on, account.key, project.id, { custom_path: 'apps', ...apps });
    await aDynamicLink(on, account.key, project.id, { custom_path: 'get', ios_deferred_deep_link: true, ...apps });
    const statuses: number[] = [];
    for (const [name, path] of [
      ['desktop', '/sale'],
      ['desktop', '/apps'],
      ['pixel', '/apps'],
      ['instagramOnAndroid', '/apps'],
      ['iphone', '/get'],
    ] as const)
      statuses.push((await visit({ 'User-Agent': userAgents[name] }, path)).status);
    expect(statuses).toEqual([302, 200, 302, 200, 200]);
    expect((await counted(5)).totals.clicks).toBe(5);
  });

  test('for a short link and its dynamic link', async () => {
    const short = await aShortLink(on, account.key, project.id, linkId);
    await on.database.query("UPDATE short_links SET source = 'dashboard' WHERE id = $1", [
      (await aShortLink(on, account.key, project.id, linkId, { slug: 'dash' })).id,
    ]);
    await visit();
    await visit({}, `/${short.slug}`);
    await visit({}, `/${short.slug}`);
    await visit({}, '/dash');
    expect(clicksBy(await counted(4, 'short_link'))).toMatchObject({ [short.id]: 2, null: 1 });
    expect(clicksBy(await counted(4, 'source'))).toEqual({ api: 2, dashboard: 1, null: 1 });
    expect(clicksBy(await counted(4, 'link'))).toEqual({ [linkId]: 4 });
  });

  test('during an outage of the database', async () => {
    await visit();
    await counted(1);
    await withoutTable(on.database, 'link_paths', () => visit().expect(302));
    expect((await counted(2)).totals.clicks).toBe(2);
  });
});

test('a phone that hangs up during the look-up is counted, and nothing fails', async () => {
  const android = await anAndroidApp(on, account.key, project.id);
  const fields = { custom_path: 'play', android_app_id: android.id, desktop_url: undefined };
  await aDynamicLink(on, account.key, project.id, fields);
  await visit({}, '/nothing').expect(404);
  const { hostname, port } = new URL(on.url);
  const phone = connect({ host: hostname, port: Number(port) });
  await withTransaction(on.database, async (lock) => {
    await lock.query('LOCK TABLE link_paths IN ACCESS EXCLUSIVE MODE');
    const headers = `Host: ${project.subdomain}.localhost\r\nUser-Agent: ${userAgents.pixel}`;
    phone.write(`GET /play HTTP/1.1\r\n${headers}\r\n\r\n`);
    await untilLocked(on.database, '');
    phone.destroy();
    await once(phone, 'close');
    // The service has read the end of the connection when it answers a later one.
    await supertest(on.url).get('/health/live').expect(200);
  });
  expect((await counted(1)).totals.clicks).toBe(1);
  expect(on.logLines.filter((line) => line.includes('visit failed'))).toEqual([]);
});

test('requests that visit no link, and clicks on pages of the service, are not counted', async () => {
  const host = `${project.subdomain}.localhost`;
  await supertest(on.url).head('/sale').redirects(0).set('Host', host);
  await supertest(on.url).post('/sale').set('Host', host).expect(405);
  await visit({}, '/nothing').expect(404);
  await visit({}, '/.well-known/assetlinks.json').expect(200);
  for (const via of ['page', 'ipad', 'ipad-page'])
    await visit({ 'User-Agent': userAgents.macintosh }, `/sale?_via=${via}`);
  await visit({ 'Sec-Fetch-Site': 'same-origin' });
  await visit();
  expect((await counted(1, undefined, true)).totals.clicks).toBe(1);
});

test('a copied address of a page of the service counts as a visit', async () => {
  await visit({ 'Sec-Fetch-Site': 'none' }, '/sale?_via=page');
  await visit({ 'Sec-Fetch-Site': 'none' }, '/sale?_via=ipad');
  await visit({ 'Sec-Fetch-Site': 'cross-site' }, '/sale?_via=ipad-page');
  await visit({}, '/sale?_via=elsewhere');
  expect((await counted(4)).totals.clicks).toBe(4);
});

describe('a visitor who leaves an in-app browser', () => {
  const inApp = { 'User-Agent': userAgents.instagramOnIphone };
  const inSafari = { 'User-Agent': userAgents.iphone, 'Sec-Fetch-Site': 'none' };
  const inChrome = { 'User-Agent': userAgents.pixel, 'Sec-Fetch-Site': 'cross-site' };
  const escape = '/left?_via=browser-page';
  beforeEach(async () => {
    const ios = await anIosApp(on, account.key, project.id);
    const android = await anAndroidApp(on, account.key, project.id);
    const apps = { ios_app_id: ios.id, android_app_id: android.id };
    await aDynamicLink(on, account.key, project.id, { custom_path: 'left', ...apps });
  });
  const from = (network: string) => ({ 'X-Forwarded-For': network });
  const clicksOf = async (all: Record<string, string>[], expected: number) => {
    for (const headers of all) await visit(headers, escape);
    await visit();
    expect((await counted(expected + 1)).totals.clicks).toBe(expected + 1);
  };

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['for Safari', inApp, inSafari],
    ['for Chrome', { 'User-Agent': userAgents.instagramOnAndroid }, inChrome],
    ['for a browser without the header', inApp, { 'User-Agent': userAgents.iphone }],
  ])('%s counts once', async (_, there, then) => {
    await visit(there, '/left').expect(200);
    await clicksOf([then], 1);
  });

  test('counts once, and those to whom the URL is sent count too', async () => {
    await visit({ ...inApp, ...from('192.0.2.1') }, '/left').expect(200);
    const [own, other] = [from('192.0.2.1'), from('192.0.2.2')].map((network) => ({ ...inSafari, ...network }));
    await clicksOf([other!, own!, own!, other!], 4);
  });

  test('does not count for each of two visitors in one network', async () => {
    await visit(inApp, '/left').expect(200);
    await visit(inApp, '/left').expect(200);
    await clicksOf([inSafari, inSafari], 2);
  });

  test('counts again for a URL without a page before it, or with HEAD before it', async () => {
    await supertest(on.url).head('/left').set('Host', `${project.subdomain}.localhost`).set(inApp).expect(200);
    await visit(inApp).expect(302);
    await clicksOf([inSafari], 2);
  });
});

describe('prefetched links', () => {
  const pixel = { 'User-Agent': userAgents.pixel };

  test.each<[name: string, value: string]>([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Sec-Purpose', 'prefetch;anonymous-client-ip'],
    ['Purpose', 'prefetch'],
    ['Purpose', 'Prefetch'],
    ['X-Purpose', 'preview'],
    ['X-Moz', 'prefetch'],
  ])('are refused, so that the tap asks again: %s: %s', async (name, value) => {
    const prefetch = await visit({ ...pixel, [name]: value }).expect(503);
    expect(prefetch.headers).toMatchObject({ 'cache-control': 'no-store', 'content-length': '0' });
    expect([prefetch.headers['location'], prefetch.text]).toEqual([undefined, '']);
    await visit(pixel).expect(302);
    expect((await counted(1)).totals).toEqual({ clicks: 1, qr_scans: 0, bots: 0 });
  });

  test('are refused beside a header of another purpose', async () => {
    await visit({ ...pixel, Purpose: '', 'X-Purpose': 'preview' }).expect(503);
  });

  test('are answered if the answer has neither a click nor a token', async () => {
    const prefetch = { 'Sec-Purpose': 'prefetch' };
    await aDynamicLink(on, account.key, project.id, { custom_path: 'off', disabled: true });
    await visit({ ...pixel, ...prefetch }, '/off').expect(410);
    await visit({ ...pixel, ...prefetch }, '/nothing').expect(404);
    await visit({ ...pixel, ...prefetch }, '/.well-known/assetlinks.json').expect(200);
    await visit({ ...pixel, ...prefetch }, '/sale?_via=page').expect(302);
    await visit({ 'User-Agent': userAgents.slackbot, ...prefetch }).expect(302);
    const headers = { Host: `${project.subdomain}.localhost`, ...pixel, ...prefetch };
    await supertest(on.url).head('/sale').redirects(0).set(headers).expect(302);
    expect((await counted(1)).totals).toEqual({ clicks: 0, qr_scans: 0, bots: 1 });
  });

  test('of a page that continues are refused for its token alone', async () => {
    const android = await anAndroidApp(on, account.key, project.id);
    const fields = { custom_path: 'store', desktop_url: undefined, android_app_id: android.id };
    await aDynamicLink(on, account.key, project.id, fields);
    await visit({ ...pixel, 'Sec-Purpose': 'prefetch' }, '/store?_via=page').expect(503);
    const head = supertest(on.url).head('/store').redirects(0);
    await head.set({ Host: `${project.subdomain}.localhost`, ...pixel, 'Sec-Purpose': 'prefetch' }).expect(302);
    const store = await visit(pixel, '/store?_via=page').expect(302);
    expect(store.headers['location']).toContain('deferred_link');
  });

  test.each([
    ['Sec-Purpose', 'navigation'],
    ['Purpose', ''],
    ['X-Purpose', 'no prefetch'],
    ['X-Moz', 'prefetched'],
  ])('have one of the known values; others are of people: %s: %s', async (name, value) => {
    await visit({ ...pixel, [name]: value }).expect(302);
    expect((await counted(1)).totals).toEqual({ clicks: 1, qr_scans: 0, bots: 0 });
  });

  test('offer no way out of an in-app browser, and use none up', async () => {
    const ios = await anIosApp(on, account.key, project.id);
    await aDynamicLink(on, account.key, project.id, { custom_path: 'left', ios_app_id: ios.id });
    const inApp = { 'User-Agent': userAgents.instagramOnIphone };
    const inSafari = { 'User-Agent': userAgents.iphone, 'Sec-Fetch-Site': 'none' };
    const escape = '/left?_via=browser-page';
    await visit({ ...inApp, 'X-Purpose': 'preview' }, '/left').expect(503);
    await visit(inSafari, escape);
    expect((await counted(1)).totals).toEqual({ clicks: 1, qr_scans: 0, bots: 0 });
    await visit(inApp, '/left').expect(200);
    await visit({ ...inSafari, 'Sec-Purpose': 'prefetch' }, escape);
    await visit(inSafari, escape);
    await visit();
    expect((await counted(3)).totals).toEqual({ clicks: 3, qr_scans: 0, bots: 0 });
  });
});

test('QR codes count as scans, and destinations do not receive the parameter', async () => {
  const response = await visit({}, '/sale?_via=qr&x=1');
  expect(response.headers['location']).toBe('https://example.com/desktop?x=1');
  await visit();
  expect((await counted(2)).totals).toEqual({ clicks: 2, qr_scans: 1, bots: 0 });
  const { groups, series } = await counted(2, 'platform');
  expect(groups).toMatchObject([{ value: 'desktop', clicks: 2, qr_scans: 1 }]);
  // Midnight may be between the two.
  expect(series.reduce((sum, { qr_scans }) => sum + qr_scans, 0)).toBe(1);
});

describe('the country', () => {
  test.each([
    ['DE', 'DE'],
    ['de', 'DE'],
    ['XX', 'null'],
    ['T1', 'null'],
    ['', 'null'],
    ["D'", 'null'],
  ])('%j: %s', async (stated, country) => {
    await visit({ 'X-Country': stated });
    expect(clicksBy(await counted(1, 'country'))).toEqual({ [country]: 1 });
  });

  test.each<[settings: Record<string, string>, headers: Record<string, string>]>([
    [{ TRUSTED_PROXIES: '10.0.0.0/8', COUNTRY_HEADER: 'X-Country' }, { 'X-Forwarded-For': '10.0.0.1' }],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, { 'CF-IPCountry': 'DE' }],
  ])('is not read with the settings %j and the headers %j', async (settings, headers) => {
    await withService(settings, on.database, (other) =>
      other.visit(project.subdomain, '/sale', { 'X-Country': 'DE', ...headers }).expect(302),
    );
    expect(clicksBy(await counted(1, 'country'))).toEqual({ null: 1 });
  });
});

test('unknown user agents do not create groups', async () => {
  const long = `${userAgents.iphone} ${'y'.repeat(8000)}`;
  const odd = ['x'.repeat(8000), long, 'a\tb\xff', "'; DROP TABLE clicks", '__proto__'];
  for (const userAgent of odd) await visit({ 'User-Agent': userAgent }).expect(302);
  const all = await counted(odd.length, 'browser', true);
  expect(clicksBy(all)).toEqual({ null: 4, Safari: 1 });
});

test('neither the address nor any other text of the visitor is stored', async () => {
  await visit({
    'User-Agent': `${userAgents.iphone} TheirDevice`,
    Referer: 'https://mail.example/inbox/their-secret',
    'X-Forwarded-For': '203.0.113.77',
    Cookie: 'session=theirs',
  });
  await counted(1);
  const [row] = await on.database.query<{ row: string }>(
    'SELECT to_jsonb(clicks)::text AS row FROM clicks WHERE project_id = $1',
    [project.id],
  );
  expect(JSON.parse(row!.row)).toEqual({
    clicked_at: expect.any(String),
    batch_id: expect.any(Number),
    project_id: project.id,
    dynamic_link_ids: [linkId],
    short_link_ids: null,
    sources: null,
    platforms: ['ios'],
    browsers: ['Safari'],
    referrers: ['mail.example'],
    countries: null,
    bots: null,
    qrs: null,
    opened: [1],
    opened_by: [1],
    times: [1],
    moments: [0],
    mirrored: null,
  });
});

test('visits are not counted if counting is disabled', async () => {
  await withService({ RECORD_CLICKS: 'false' }, on.database, (other) =>
    other.visit(project.subdomain, '/sale').expect(302),
  );
  expect((await analytics(on, account.key, project.id)).totals.clicks).toBe(0);
});
