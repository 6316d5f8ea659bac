/** @needs chromium */
import type { Browser } from 'playwright-core';
import { linkPages, sample } from '../link-routing/pages/sample-pages';
import { devices } from './devices';
import { openBrowser } from './open-browser';
import { type PageServer, servePages } from './serve-pages';
import { fakeOtherSites, watchContext } from './watch-context';

let server: PageServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([servePages(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const mac = devices['Desktop Safari'].userAgent;
const windows = devices['Desktop Edge'].userAgent;
const iPad = devices['iPad Pro 11'].userAgent;

test.each([
  ['an iPad with the user agent of a Macintosh is redirected', mac, 5, true],
  ['a Macintosh stays', mac, 0, false],
  ['a Macintosh with one touch point stays', mac, 1, false],
  ['a Windows tablet stays', windows, 10, false],
  ['an iPad with its own user agent stays', iPad, 5, false],
  ['an iPad without JavaScript stays', mac, 5, false, false],
])('%s', async (_, userAgent, touchPoints, isRedirected, javaScriptEnabled = true) => {
  const context = await browser.newContext({ userAgent, javaScriptEnabled });
  const log = await watchContext(context);
  await fakeOtherSites(context, server.port);
  const tab = await context.newPage();
  const session = await context.newCDPSession(tab);
  const touch = { enabled: touchPoints > 0, ...(touchPoints > 0 && { maxTouchPoints: touchPoints }) };
  await session.send('Emulation.setTouchEmulationEnabled', touch);

  const before = server.add(linkPages.preview(sample));
  const address = server.add(linkPages.landing({ ...sample, imageUrl: null }));
  await tab.goto(before);
  await tab.goto(address).catch((error: unknown) => {
    // The redirect interrupts loading.
    if (!isRedirected) throw error;
  });
  if (isRedirected) await tab.waitForURL(sample.ipadUrl!);
  await tab.waitForLoadState();
  expect(tab.url()).toBe(isRedirected ? sample.ipadUrl : address);
  expect(log.problems).toEqual([]);
  // `location.replace` leaves no history entry, which would redirect again.
  if (isRedirected) {
    await tab.goBack();
    expect(tab.url()).toBe(before);
  }
  await context.close();
});
