/** @needs chromium */
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core';
import { devices } from '../browser/devices';
import { openBrowser } from '../browser/open-browser';
import { fakeOtherSites } from '../browser/watch-context';
import { aCampaign, type Campaign, untilStored } from '../link-traffic/deferred-links/claim-link';
import { aService, type TestService } from '../support/service';
import { bundleOf } from './bundle';
import { ServiceModel } from './service-model';

let on: TestService;
let browser: Browser;
let campaign: Campaign;
let origin: string;
let code: string;
beforeAll(async () => {
  [on, browser, code] = await Promise.all([
    aService({ LINK_BASE_URL: 'https://localhost' }),
    openBrowser(),
    bundleOf('index.ts', { format: 'iife' }),
  ]);
  campaign = await aCampaign(on, { app_data: { screen: 'offer' }, referrer_params: { utm_source: 'mail' } });
  origin = `http://${campaign.project.subdomain}.localhost:${new URL(on.url).port}`;
});
afterAll(async () => {
  await browser?.close();
  await on?.stop();
});

/**
 * Starts the app in a page of the link host, where the claim needs no CORS. `localStorage` is its storage, and each load is a launch.
 * The service listens without TLS.
 */
async function launch(context: BrowserContext, initialUrl: string | null = null): Promise<Tab> {
  const tab = await context.newPage();
  await tab.goto(`${origin}/.well-known/assetlinks.json`);
  await tab.evaluate(`${code};
    window.received = [];
    window.app = sdk.createSignpost({
      hosts: [location.hostname],
      app: { bundleId: 'com.example.shop', version: '3.2.1' },
      storage: localStorage,
      links: { getInitialURL: () => ${JSON.stringify(initialUrl)}, subscribe: () => () => {} },
      clipboard: { hasUrl: () => true, read: () => navigator.clipboard.readText() },
      fetch: (url, init) => fetch(url.replace(/^https:\\/\\/[^/]*/, location.origin), init),
      timeoutMs: 60_000,
    });
    window.initialLink = app.getInitialLink();
    app.onLink((link) => received.push(link));`);
  return tab;
}
const claim = (tab: Tab, answer = '{}') => tab.evaluate(`app.claimDeferred(${answer})`);
const received = (tab: Tab) => tab.evaluate('received');

test('visit, page, copied token, claim: the app gets the link once', async () => {
  const context = await browser.newContext(devices['iPhone 15']);
  await fakeOtherSites(context, Number(new URL(on.url).port));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const visit = await context.newPage();
  await visit.goto(`${origin}/summer?x=1`);
  const store = visit.waitForRequest(/apps\.apple\.com/);
  await visit.getByRole('link', { name: 'Get the app' }).tap();
  await store;
  await untilStored(on, 1);

  const tab = await launch(context);
  await tab.bringToFront();
  expect(await claim(tab)).toEqual({ status: 'ask', reason: 'clipboard-has-url' });
  expect(await claim(tab, '{ paste: true }')).toEqual({ status: 'claimed', reason: 'answered' });
  expect(await received(tab)).toEqual([
    expect.objectContaining({
      type: 'deferred',
      late: false,
      route: '/summer?x=1',
      fullUrl: `https://${campaign.project.subdomain}.localhost/summer`,
      appData: { screen: 'offer' },
      referrerParams: { utm_source: 'mail' },
    }),
  ]);
  const later = await launch(context);
  expect(await claim(later)).toEqual({ status: 'used', reason: 'opened-before' });
  expect(await received(later)).toEqual([]);

  // A new installation, with the same clipboard.
  await later.evaluate('localStorage.clear()');
  const other = await launch(context);
  await other.bringToFront();
  await claim(other);
  expect(await claim(other, '{ paste: true }')).toEqual({ status: 'used', reason: 'refused' });
  expect(await received(other)).toEqual([]);
});

test('a short link that opens the app becomes its route', async () => {
  const service = new ServiceModel();
  const context = await browser.newContext();
  await context.route('**/links/open', async (route) => {
    const answer = await service.fetch(route.request().url(), { body: route.request().postData()! });
    await route.fulfill({ status: answer.status, json: await answer.json() });
  });
  const tab = await launch(context, `https://${campaign.project.subdomain}.localhost/s4le?x=1`);
  expect(await tab.evaluate('initialLink')).toMatchObject({ type: 'direct', route: '/sale?x=1', answer: 'resolved' });
  expect(service.opens.size).toBe(1);
});
