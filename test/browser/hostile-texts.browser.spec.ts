/** @needs chromium */
import type { Browser, Page as Tab } from 'playwright-core';
import { type LinkPageName, linkPageNames, linkPages, type Sample } from '../link-routing/sample-pages';
import { openBrowser } from './browser';
import { hostileTexts } from './hostile-texts';
import { openSite, type Site } from './site';
import { watch, type Witness } from './witness';

let site: Site;
let browser: Browser;
let witness: Witness;
let tabs: Tab[];
beforeAll(async () => {
  [site, browser] = await Promise.all([openSite(), openBrowser()]);
  const context = await browser.newContext();
  witness = await watch(context);
  tabs = await Promise.all([context.newPage(), context.newPage()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** The text in every place that tenants and visitors fill. */
const everywhere = (text: string): Sample => ({
  title: text,
  description: text,
  // Said beside the title where it is another.
  appName: `App ${text}`,
  imageUrl: `${site.picture}?q=${text}`,
  url: `https://summer.go.example/sale?q=${text}`,
  appStoreUrl: `https://apps.apple.com/app/id1?q=${text}`,
  playStoreUrl: `https://play.google.com/store/apps/details?q=${text}`,
  ipadUrl: `https://example.com/ipad?q=${text}`,
  storeUrl: `https://apps.apple.com/app/id1?q=${text}`,
  clipboardText: `https://summer.go.example/sale?q=${text}`,
  openUrl: `intent://summer.go.example/sale?q=${text}#Intent;end`,
  continueUrl: `https://example.com/sale?q=${text}`,
});

/** How many elements there are, the heading, and the description that is shown or told to crawlers. */
const read = `[
  document.querySelectorAll('*').length - document.querySelectorAll('svg, svg *').length,
  document.querySelector('h1').textContent,
  document.querySelector('.description').textContent,
  document.querySelector('title').textContent,
]`;

// What parsers of HTML make of line ends (HTML Standard, 13.2.3.5).
const lines = (text: string): string => text.replace(/\r\n?/g, '\n');

test('there are two hundred', () => expect(new Set(hostileTexts).size).toBe(200));

// Four ways of each script follow one another: with a turn after every four, each script and each way meets every page. That
// every text is escaped in every place of every page is tested without a browser, in pages.spec.ts.
const pageOf = (at: number): LinkPageName => linkPageNames[(at + Math.floor(at / 4)) % 4]!;

test('they are texts on the pages: no script runs, nothing is fetched from elsewhere', async () => {
  const elements = new Map<LinkPageName, number>();
  for (const name of linkPageNames) {
    await tabs[0]!.goto(site.show(linkPages[name](everywhere('harmless'))));
    elements.set(name, (await tabs[0]!.evaluate<[number]>(read))[0]);
  }
  let next = 0;
  const look = async (tab: Tab): Promise<void> => {
    for (let at = next++; at < hostileTexts.length; at = next++) {
      const [name, text] = [pageOf(at), hostileTexts[at]!];
      const address = site.show(linkPages[name](everywhere(text)));
      await tab.goto(address);
      const seen = await tab.evaluate(read);
      expect([text, seen, tab.url()]).toEqual([
        text,
        [elements.get(name), lines(text), lines(text), lines(text)],
        address,
      ]);
      expect([text, witness.problems]).toEqual([text, []]);
    }
  };
  await Promise.all(tabs.map(look));
  const { origin } = new URL(site.picture);
  expect(witness.takeOrigins()).toEqual([origin, `http://summer.localhost:${site.port}`]);
}, 300_000);

test('the traps work', async () => {
  const html = '<h1>x</h1><script>__pwned=1</script><img src=//evil.example/x><script>alert(1)</script>';
  await tabs[0]!.goto(site.show({ html, contentSecurityPolicy: "script-src 'unsafe-inline'; img-src 'none'" }));
  await tabs[0]!.goto(site.show({ html, contentSecurityPolicy: "script-src 'unsafe-inline'; img-src *" }));
  expect(witness.problems).toEqual(
    expect.arrayContaining(['a script ran', 'dialog 1', 'violation img-src http://evil.example/x']),
  );
  expect(witness.takeOrigins()).toContain('http://evil.example');
});
