/** @needs chromium */
import { type Browser, devices } from 'playwright-core';
import { linkPages, sample } from '../link-routing/sample-pages';
import { openBrowser } from './browser';
import { openSite, type Site } from './site';
import { pretend, watch } from './witness';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([openSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const mac = devices['Desktop Safari'].userAgent;
const windows = devices['Desktop Edge'].userAgent;
const iPad = devices['iPad Pro 11'].userAgent;

test.each([
  ['an iPad that calls itself a Macintosh', mac, 5, true],
  ['a Macintosh', mac, 0, false],
  ['a Macintosh whose mouse is said to be a finger', mac, 1, false],
  ['a Windows tablet', windows, 10, false],
  ['an iPad by name, which the server has told apart', iPad, 5, false],
  ['an iPad that calls itself a Macintosh, with scripts off', mac, 5, false, false],
])('%s', async (_, userAgent, touchPoints, sentOn, javaScriptEnabled = true) => {
  const context = await browser.newContext({ userAgent, javaScriptEnabled });
  const witness = await watch(context);
  await pretend(context, site.port);
  const tab = await context.newPage();
  const session = await context.newCDPSession(tab);
  const touch = { enabled: touchPoints > 0, ...(touchPoints > 0 && { maxTouchPoints: touchPoints }) };
  await session.send('Emulation.setTouchEmulationEnabled', touch);

  const before = site.show(linkPages.preview(sample));
  const address = site.show(linkPages.landing({ ...sample, imageUrl: null }));
  await tab.goto(before);
  await tab.goto(address).catch((error: unknown) => {
    // The page was left while it was loading.
    if (!sentOn) throw error;
  });
  if (sentOn) await tab.waitForURL(sample.ipadUrl!);
  await tab.waitForLoadState();
  expect(tab.url()).toBe(sentOn ? sample.ipadUrl : address);
  expect(witness.problems).toEqual([]);
  // The page in between is no step back: it would send them on again.
  if (sentOn) {
    await tab.goBack();
    expect(tab.url()).toBe(before);
  }
  await context.close();
});
