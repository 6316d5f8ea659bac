/** @needs chromium */
import { linkPages, sample } from '../link-routing/pages/sample-pages';
import { userAgents } from './devices';
import { usePages } from './use-browser';
import { fakeOtherSites, watchContext } from './watch-context';

const opened = usePages();
const mac = userAgents['Desktop Safari'];
const windows = userAgents['Desktop Edge'];
const iPad = userAgents['iPad Pro 11'];

test.each([
  ['an iPad with the user agent of a Macintosh is redirected', mac, 5, true],
  ['a Macintosh stays', mac, 0, false],
  ['a Macintosh with one touch point stays', mac, 1, false],
  ['a Windows tablet stays', windows, 10, false],
  ['an iPad with its own user agent stays', iPad, 5, false],
  ['an iPad without JavaScript stays', mac, 5, false, false],
])('%s', async (_, userAgent, touchPoints, isRedirected, javaScriptEnabled = true) => {
  const { browser, server } = opened;
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
