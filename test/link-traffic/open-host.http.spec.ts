import type { CustomDomain } from '../../clients/typescript/src/index';
import { userAgents } from '../link-routing/user-agents';
import { aCustomDomain, aDynamicLink, anIosApp, aProject, aVerifiedDomain, unique } from '../support/builders';
import { analytics, untilCounted } from '../clicks/recording/counting';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { dnsFixture, serviceFixture, accountFixture, fixtureOfEach } from '../support/fixtures';

// The open host of a project: the second host that opens its apps.

const dns = dnsFixture();
const on = serviceFixture(() => ({
  DNS_RESOLVERS: dns.address,
  LINK_BASE_URL: 'https://go.example.com',
  API_BASE_URL: 'https://api-open.go.example.com',
}));
const account = accountFixture(on);
const project = fixtureOfEach(() => aProject(on, account.key));
const app = fixtureOfEach(() => anIosApp(on, account.key, project.id, { appstore_id: '42' }));
beforeEach(async () => {
  const link = { custom_path: 'sale', desktop_url: undefined, ios_app_id: app.id };
  await aDynamicLink(on, account.key, project.id, link);
  await aDynamicLink(on, account.key, project.id, { ...link, custom_path: 'deferred', ios_deferred_deep_link: true });
});

const hostOf = (subdomain: string) => `${subdomain}.go.example.com`;
const openHostOf = (subdomain: string) => hostOf(`${subdomain}-open`);
const get = (url: string, userAgent: string = userAgents.instagramOnIphone) => {
  const { host, pathname, search } = new URL(url);
  return sendRequest(on.url, `GET ${pathname}${search}`, { Host: host, 'User-Agent': userAgent });
};
const hrefOf = (text: string, words: string) =>
  new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${words}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&');
const openAppOn = async (host: string) => hrefOf((await get(`https://${host}/sale`)).text, 'Open in app');
const put = (path: string, body: object) => on.api('put', `/projects/${project.id}${path}`, account.key).send(body);

test('serves the links and association files of its project', async () => {
  const host = openHostOf(project.subdomain);
  const file = await get(`https://${host}/.well-known/apple-app-site-association`);
  expect([file.status, file.text]).toEqual([200, expect.stringContaining(app.bundle_id)]);
  expect((await get(`https://${host}/sale`, userAgents.iphone)).headers['location']).toBe(
    'https://apps.apple.com/app/id42',
  );
  expect((await get(`https://${host}/other`)).status).toBe(404);
});

test('opens the app from pages of every other host, and the current host from its own pages', async () => {
  const former = project.subdomain;
  const renamed = unique('renamed');
  await put('', { subdomain: renamed }).expect(200);
  const opener = `https://${openHostOf(renamed)}/sale?_via=open`;
  await eventually(async () => (await openAppOn(hostOf(renamed))) === opener);
  expect(await openAppOn(hostOf(former))).toBe(opener);
  expect(await openAppOn(openHostOf(former))).toBe(opener);
  expect(await openAppOn(openHostOf(renamed))).toBe(`https://${hostOf(renamed)}/sale?_via=open`);
});

test.each(['iphone', 'instagramOnIphone', 'instagramOnIpad', 'macintosh'] as const)(
  'no chain of pages and redirects leads %s in a circle',
  async (name) => {
    // Follows all links and scripts of the service's pages.
    const seen = new Map<string, number>();
    const follow = async (url: string, taps: number): Promise<void> => {
      if (!new URL(url).host.endsWith('.go.example.com')) return;
      expect(taps).toBeLessThan(4);
      if ((seen.get(url) ?? Infinity) <= taps) return;
      seen.set(url, taps);
      const { status, headers, text } = await get(url, userAgents[name]);
      expect([200, 302]).toContain(status);
      // The service redirects to destinations only.
      expect(headers['location'] ?? '').not.toContain('go.example.com');
      // A visitor who tried to open the app is not asked again.
      if (/_via=(ipad-)?open/.test(url)) expect(hrefOf(text, 'Open in app')).toBeUndefined();
      const script = /<script data-value="(https:[^"]*_via=ipad)"/.exec(text)?.[1];
      const next = [hrefOf(text, 'Open in app'), hrefOf(text, 'Continue'), script?.replaceAll('&amp;', '&')];
      for (const one of next) if (one) await follow(one, taps + 1);
    };
    const unreleased = await anIosApp(on, account.key, project.id);
    const link = { custom_path: 'unreleased', desktop_url: undefined, ios_app_id: unreleased.id };
    await aDynamicLink(on, account.key, project.id, link);
    for (const path of ['sale', 'deferred', 'unreleased'])
      for (const host of [hostOf(project.subdomain), openHostOf(project.subdomain)])
        await follow(`https://${host}/${path}`, 0);
    expect(seen.size).toBeGreaterThan(3);
  },
);

describe('a subdomain that ends like an open host', () => {
  test.each(['open', 'x-open', `${'x'.repeat(58)}-open`])('cannot be taken: %s', async (subdomain) => {
    expect(await on.api('post', '/projects', account.key).send({ name: 'Shop', subdomain })).toBeRefusedWith(
      'SUBDOMAIN_TAKEN',
    );
    expect(await put('', { subdomain })).toBeRefusedWith('SUBDOMAIN_TAKEN');
  });

  test('that is older belongs to its project, and the other project has no open host', async () => {
    const older = await aProject(on, account.key);
    await aDynamicLink(on, account.key, older.id, { custom_path: 'sale', desktop_url: 'https://older.example/' });
    const taken = `${project.subdomain}-open`;
    await on.database.query('UPDATE projects SET subdomain = $2 WHERE id = $1', [older.id, taken]);
    expect((await get(`https://${hostOf(taken)}/sale`, userAgents.desktop)).headers['location']).toBe(
      'https://older.example/',
    );
    expect(await openAppOn(hostOf(project.subdomain))).toBe(`https://${hostOf(project.subdomain)}/sale?_via=open`);
    // After its deletion the name stays reserved, and leads nowhere.
    await on.api('delete', `/projects/${older.id}`, account.key).expect(200);
    await eventually(async () => (await get(`https://${hostOf(taken)}/sale`)).status === 404);
  });
});

describe('a custom domain', () => {
  let active: CustomDomain;
  let other: CustomDomain;
  beforeEach(async () => {
    active = await aVerifiedDomain(on, dns, account.key, project.id, { active: true });
    other = await aVerifiedDomain(on, dns, account.key, project.id);
  });
  const domain = async ({ id }: CustomDomain): Promise<CustomDomain> =>
    (await on.api('get', `/projects/${project.id}/custom-domains/${id}`, account.key).expect(200)).body
      .data as CustomDomain;
  const use = ({ id }: CustomDomain, body: object) => put(`/custom-domains/${id}`, body);
  const opener = (host: string) =>
    eventually(async () => (await openAppOn(active.hostname)) === `https://${host}/sale?_via=open`);

  test('opens apps through the open host of the subdomain, until another domain is set', async () => {
    await opener(openHostOf(project.subdomain));
    await use(other, { open_host: true }).expect(200);
    await opener(other.hostname);
    // Its own pages lead to the active domain.
    expect(await openAppOn(other.hostname)).toBe(`https://${active.hostname}/sale?_via=open`);
    await use(other, { open_host: false }).expect(200);
    await opener(openHostOf(project.subdomain));
  });

  test('replaces the open host before it', async () => {
    const third = await aVerifiedDomain(on, dns, account.key, project.id);
    await use(other, { open_host: true }).expect(200);
    await use(third, { open_host: true }).expect(200);
    expect([(await domain(other)).open_host, (await domain(third)).open_host]).toEqual([false, true]);
    await opener(third.hostname);
  });

  test('is active or the open host, and not both', async () => {
    for (const body of [{ open_host: true }, { active: true, open_host: true }])
      expect((await use(active, body)).status).toBe(400);
    await use(other, { open_host: true }).expect(200);
    expect((await use(other, { active: true }).expect(200)).body).toMatchObject({
      data: { active: true, open_host: false, status: 'active' },
    });
  });

  test('is no open host while it is not verified', async () => {
    const pending = await aCustomDomain(on, account.key, project.id);
    expect(await use(pending, { open_host: true })).toBeRefusedWith('DOMAIN_NOT_VERIFIED');
    await use(other, { open_host: true }).expect(200);
    await opener(other.hostname);
    // The previous version does not reset open_host.
    const sql = 'UPDATE custom_domains SET verified_at = NULL, next_check_at = NULL WHERE id = $1';
    await on.database.query(sql, [other.id]);
    await opener(openHostOf(project.subdomain));
  });
});

test.each<[string, Record<string, string>, number]>([
  ['_via=open', {}, 0],
  ['_via=open', { 'Sec-Fetch-Site': 'cross-site' }, 0],
  ['_via=ipad-open', { 'Sec-Fetch-Site': 'cross-site' }, 0],
  // A shared URL, opened from a message.
  ['_via=open', { 'Sec-Fetch-Site': 'none' }, 1],
  ['', { 'Sec-Fetch-Site': 'same-site' }, 1],
  ['_via=page', { 'Sec-Fetch-Site': 'cross-site' }, 1],
])('a visit with %j and %j counts %d clicks', async (query, headers, clicks) => {
  const host = openHostOf(project.subdomain);
  await sendRequest(on.url, `GET /sale?${query}`, { Host: host, 'User-Agent': userAgents.iphone, ...headers });
  // Clicks are written in order, so that a later one shows that the earlier one was written or does not count.
  await sendRequest(on.url, 'GET /sale', { Host: host, 'User-Agent': userAgents.iphone });
  const counted = await untilCounted(on, account.key, project.id, clicks + 1);
  expect(counted.totals.clicks).toBe(clicks + 1);
});

describe('a visitor who continues from a page on another host than the current one is counted once', () => {
  /** Returns the header that browsers send with a tap on a page of the host. */
  const siteOf = (page: string, url: string) => {
    const { host } = new URL(url);
    if (host === page) return 'same-origin';
    return [page, host].every((name) => name.endsWith('.go.example.com')) ? 'same-site' : 'cross-site';
  };
  /** Clicks are written in order, so that a robot marks the end. */
  const clicksOfPeople = async () => {
    await get(`https://${hostOf(project.subdomain)}/sale`, userAgents.googlebot);
    await eventually(async () => (await analytics(on, account.key, project.id)).totals.bots === 1);
    return (await analytics(on, account.key, project.id)).totals.clicks;
  };
  const continues = async (host: string, query = '', userAgent: string = userAgents.instagramOnIphone) => {
    const page = await get(`https://${host}/sale${query}`, userAgent);
    const url = hrefOf(page.text, 'Continue')!;
    const { host: next, pathname, search } = new URL(url);
    const headers = { Host: next, 'User-Agent': userAgent, 'Sec-Fetch-Site': siteOf(host, url) };
    expect((await sendRequest(on.url, `GET ${pathname}${search}`, headers)).status).toBe(200);
    return clicksOfPeople();
  };
  beforeEach(async () => {
    // “Continue” leads to a page of the link host, and not to a store.
    await on.database.query(
      "UPDATE dynamic_links SET ios_deferred_deep_link = true WHERE project_id = $1 AND custom_path = 'sale'",
      [project.id],
    );
  });

  test('the open host, on an iPad in Instagram', async () => {
    // The iPad was counted on its first page.
    expect(await continues(openHostOf(project.subdomain), '?_via=ipad', userAgents.instagramOnIpad)).toBe(0);
  });

  test('a former subdomain', async () => {
    const former = project.subdomain;
    await put('', { subdomain: unique('renamed') }).expect(200);
    expect(await continues(hostOf(former))).toBe(1);
  });

  test('a custom domain that is not active', async () => {
    const { hostname } = await aVerifiedDomain(on, dns, account.key, project.id);
    expect(await continues(hostname)).toBe(1);
  });

  test('but a URL that was passed on counts', async () => {
    for (const site of ['none', 'same-site', 'cross-site'])
      await sendRequest(on.url, 'GET /sale?_via=page', {
        Host: openHostOf(project.subdomain),
        'User-Agent': userAgents.iphone,
        'Sec-Fetch-Site': site,
      });
    expect(await clicksOfPeople()).toBe(3);
  });
});
