/** @needs chromium */
import type { BrowserContextOptions, Page as Tab } from 'playwright-core';
import { aDynamicLink, anIosApp, aProject, type ProjectBody } from '../support/builders';
import { devices, userAgents } from './devices';
import { useService } from './use-browser';
import { fakeOtherSites, watchContext } from './watch-context';

// The pages of the service on both hosts of a project, as a person without the app sees them.

const opened = useService();
let project: ProjectBody;
let port: number;
beforeAll(async () => {
  const { on } = opened;
  port = Number(new URL(on.url).port);
  const { key } = await on.anAccount('enterprise');
  project = await aProject(on, key);
  const app = await anIosApp(on, key, project.id, { name: 'Garden', appstore_id: '42' });
  const link = { ios_app_id: app.id, desktop_url: undefined };
  await aDynamicLink(on, key, project.id, { ...link, custom_path: 'sale', social_title: 'Summer sale' });
  await aDynamicLink(on, key, project.id, { ...link, custom_path: 'deferred', ios_deferred_deep_link: true });
});

const iPhone = devices['iPhone 15'];
const inFacebook = iPhone.userAgent.replace(/Version.*/, 'Mobile/15E148 [FBAN/FBIOS;FBAV/450.0.0;FBDV/iPhone15,2]');
const mac = userAgents['Desktop Safari'];

/** Opens pages as on a phone. The service writes the port of its settings, and listens on another one. */
async function withTab(options: BrowserContextOptions, use: (tab: Tab) => Promise<void>): Promise<void> {
  const context = await opened.browser.newContext(options);
  const log = await watchContext(context);
  await fakeOtherSites(context, port);
  await context.route(/\.localhost:3000\//, (route) =>
    route.fulfill({ status: 302, headers: { Location: route.request().url().replace(':3000', `:${port}`) } }),
  );
  await use(await context.newPage());
  expect(log.problems).toEqual([]);
  await context.close();
}

/** No name server is asked here, so the navigation ends with this request. */
const store = 'https://apps.apple.com/app/id42';

const buttons = (tab: Tab) => tab.locator('a.button').allInnerTexts();
const hostOf = (tab: Tab) => new URL(tab.url()).hostname;

test('in another app, “Open in app” leaves the host, and continues to the store if there is no app', async () => {
  await withTab({ ...iPhone, userAgent: inFacebook }, async (tab) => {
    await tab.goto(`http://${project.subdomain}.localhost:${port}/sale`);
    expect(await buttons(tab)).toEqual(['Open in app', 'Open in browser', 'Continue']);
    const browserUrl = await tab.getByText('Open in browser').getAttribute('href');
    // The marker of the offer follows, from which arrivals are counted.
    const [wayOut] = browserUrl!.split('~');
    expect(wayOut).toBe(`x-safari-http://${project.subdomain}.localhost:3000/sale?_via=browser-page`);
    const requested: string[] = [];
    tab.on('request', (request) => requested.push(request.url()));
    await Promise.all([tab.waitForRequest(store), tab.getByText('Open in app').tap()]);
    expect(new URL(requested[0]!).hostname).toBe(`${project.subdomain}-open.localhost`);
  });
});

test('“Get the app” offers an installed app once', async () => {
  await withTab(iPhone, async (tab) => {
    await tab.goto(`http://${project.subdomain}.localhost:${port}/deferred`);
    expect(await buttons(tab)).toEqual(['Get the app', 'Open in app', 'Continue without copying']);
    await tab.getByText('Open in app').tap();
    await tab.waitForURL(/_via=open/);
    expect(hostOf(tab)).toBe(`${project.subdomain}-open.localhost`);
    expect(await buttons(tab)).toEqual(['Get the app', 'Continue without copying']);
  });
});

test('an iPad that calls itself a Macintosh is handed over to the open host, and reaches the store', async () => {
  await withTab({ userAgent: mac, hasTouch: true }, async (tab) => {
    const session = await tab.context().newCDPSession(tab);
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
    const requested: string[] = [];
    tab.on('request', (request) => requested.push(new URL(request.url()).hostname));
    await Promise.all([
      tab.waitForRequest(store),
      tab.goto(`http://${project.subdomain}.localhost:${port}/sale`).catch(() => {
        // The script interrupts loading.
      }),
    ]);
    expect(requested).toContain(`${project.subdomain}-open.localhost`);
  });
});
