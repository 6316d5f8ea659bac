/** @needs chromium */
import type { BrowserContext, Page as Tab } from 'playwright-core';
import { devices } from '../browser/devices';
import { useService } from '../browser/use-browser';
import { fakeOtherSites } from '../browser/watch-context';
import { aCampaign, type Campaign } from '../link-traffic/deferred-links/claim-link';
import { aProject, aShortLink } from '../support/builders';
import { eventually } from '../support/eventually';
import { bundleOf } from './bundle';

const opened = useService({ LINK_BASE_URL: 'https://localhost' });
let key: string;
let appPage: string;
let code: string;
beforeAll(async () => {
  const { on } = opened;
  code = await bundleOf('index.ts', { format: 'iife' });
  key = (await on.anAccount('enterprise')).key;
  const { subdomain } = await aProject(on, key);
  appPage = `http://${subdomain}.localhost:${new URL(on.url).port}/.well-known/assetlinks.json`;
});

let campaign: Campaign;
let host: string;
let context: BrowserContext;
beforeEach(async () => {
  campaign = await aCampaign(
    opened.on,
    { app_data: { screen: 'offer' }, referrer_params: { utm_source: 'mail' } },
    key,
  );
  host = `${campaign.project.subdomain}.localhost`;
  context = await opened.browser.newContext(devices['iPhone 15']);
  await fakeOtherSites(context, Number(new URL(opened.on.url).port));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterEach(() => context.close());

/** Taps the link without the app, and “Get the app” on its page. */
async function goToStore(path: string): Promise<void> {
  const visit = await context.newPage();
  await visit.goto(`http://${host}:${new URL(opened.on.url).port}${path}`);
  const store = visit.waitForRequest(/apps\.apple\.com/);
  await visit.getByRole('link', { name: 'Get the app' }).tap();
  await store;
}

/**
 * Starts the app in a page of another origin than the links, as in Capacitor. `localStorage` is its storage, and each load is a
 * launch. The service listens without TLS.
 */
async function launch(initialUrl: string | null = null): Promise<Tab> {
  const tab = await context.newPage();
  await tab.goto(appPage);
  await tab.bringToFront();
  await tab.evaluate(`${code};
    window.received = [];
    window.app = sdk.createSignpost({
      hosts: ['${host}'],
      app: { bundleId: 'com.example.shop', version: '3.2.1' },
      storage: localStorage,
      links: { getInitialURL: () => ${JSON.stringify(initialUrl)}, subscribe: () => () => {} },
      clipboard: { hasUrl: () => true, read: () => navigator.clipboard.readText() },
      fetch: (url, init) => fetch(url.replace('https://${host}', 'http://${host}:${new URL(opened.on.url).port}'), init),
      timeoutMs: 60_000,
    });
    window.initialLink = app.getInitialLink();
    app.onLink((link) => received.push(link));`);
  return tab;
}
const claim = (tab: Tab, answer = '{}') => tab.evaluate(`app.claimDeferred(${answer})`);
const received = (tab: Tab) => tab.evaluate('received');

test('visit, page, copied token, claim, open: the statistics count each once', async () => {
  const { project, link } = campaign;
  const { slug } = await aShortLink(opened.on, key, project.id, link.id);
  await goToStore(`/${slug}?x=1`);
  const first = await launch();
  await claim(first);
  await claim(first, '{ paste: true }');
  expect(await received(first)).toMatchObject([{ type: 'deferred', route: '/summer?x=1' }]);
  const later = await launch(`https://${host}/${slug}?x=2`);
  expect(await later.evaluate('initialLink')).toMatchObject({
    type: 'direct',
    answer: 'resolved',
    route: '/summer?x=2',
    appData: { screen: 'offer' },
  });
  const countOf = async (metric: string): Promise<number> => {
    const path = `/projects/${project.id}/links/${link.id}/analytics?metric=${metric}`;
    return (await opened.on.api('get', path, key).expect(200)).body.data.totals.clicks;
  };
  await eventually(async () => (await countOf('clicks')) === 1);
  expect([await countOf('claims'), await countOf('opens')]).toEqual([1, 1]);
});
