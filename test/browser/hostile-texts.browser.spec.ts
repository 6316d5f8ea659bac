/** @needs chromium */
import type { Page as Tab } from 'playwright-core';
import { type LinkPageName, linkPageNames, linkPages, type Sample } from '../link-routing/pages/sample-pages';
import { hostileTexts } from './hostile-texts';
import { usePages } from './use-browser';
import { type ContextLog, watchContext } from './watch-context';

const opened = usePages();
let log: ContextLog;
let tabs: Tab[];
beforeAll(async () => {
  const context = await opened.browser.newContext();
  log = await watchContext(context);
  tabs = await Promise.all([context.newPage(), context.newPage()]);
});

/** Returns page content with the text in every field of tenants and visitors. */
const contentOf = (text: string): Sample => ({
  title: text,
  description: text,
  // Shown above the title if it differs.
  appName: `App ${text}`,
  imageUrl: `${opened.server.picture}?q=${text}`,
  url: `https://summer.go.example/sale?q=${text}`,
  appStoreUrl: `https://apps.apple.com/app/id1?q=${text}`,
  playStoreUrl: `https://play.google.com/store/apps/details?q=${text}`,
  lacksOwnStore: false,
  ipadUrl: `https://example.com/ipad?q=${text}`,
  storeUrl: `https://apps.apple.com/app/id1?q=${text}`,
  clipboardText: `https://summer.go.example/sale?q=${text}`,
  openUrl: `intent://summer.go.example/sale?q=${text}#Intent;end`,
  browserUrl: `x-safari-https://summer.go.example/sale?q=${text}`,
  installedUrl: `https://summer-open.go.example/sale?q=${text}`,
  continueUrl: `https://example.com/sale?q=${text}`,
  destination: `mailto:ann@example.com?q=${text}`,
  isAttempted: true,
});

/** Evaluates to the number of elements, the heading, and the visible or meta description. */
const readPage = `[
  document.querySelectorAll('*').length - document.querySelectorAll('svg, svg *').length,
  document.querySelector('h1').textContent,
  document.querySelector('.description').textContent,
  document.querySelector('title').textContent,
]`;

// Normalises newlines like HTML parsers (HTML Standard, 13.2.3.5).
const normalizeNewlines = (text: string): string => text.replace(/\r\n?/g, '\n');

// Each script has four consecutive variants, and there are five pages, so that each variant has every page. pages.spec.ts tests all combinations without a browser.
const pageOf = (at: number): LinkPageName => linkPageNames[at % linkPageNames.length]!;

test('pages show hostile texts as text: no script runs, and no other origin is fetched', async () => {
  const elements = new Map<LinkPageName, number>();
  for (const name of linkPageNames) {
    await tabs[0]!.goto(opened.server.add(linkPages[name](contentOf('harmless'))));
    elements.set(name, (await tabs[0]!.evaluate<[number]>(readPage))[0]);
  }
  let next = 0;
  const visitPages = async (tab: Tab): Promise<void> => {
    for (let at = next++; at < hostileTexts.length; at = next++) {
      const [name, text] = [pageOf(at), hostileTexts[at]!];
      const address = opened.server.add(linkPages[name](contentOf(text)));
      await tab.goto(address);
      const result = await tab.evaluate(readPage);
      expect([text, result, tab.url()]).toEqual([
        text,
        [elements.get(name), normalizeNewlines(text), normalizeNewlines(text), normalizeNewlines(text)],
        address,
      ]);
      expect([text, log.problems]).toEqual([text, []]);
    }
  };
  await Promise.all(tabs.map(visitPages));
  const { origin } = new URL(opened.server.picture);
  // The attempt at an e-mail has the opaque origin.
  const fetched = log.takeOrigins().filter((one) => one !== 'null');
  expect(fetched).toEqual([origin, `http://summer.localhost:${opened.server.port}`]);
});

test('the detection works', async () => {
  const html = '<h1>x</h1><script>__pwned=1</script><img src=//evil.example/x><script>alert(1)</script>';
  await tabs[0]!.goto(opened.server.add({ html, contentSecurityPolicy: "script-src 'unsafe-inline'; img-src 'none'" }));
  await tabs[0]!.goto(opened.server.add({ html, contentSecurityPolicy: "script-src 'unsafe-inline'; img-src *" }));
  expect(log.problems).toEqual(
    expect.arrayContaining(['a script ran', 'dialog 1', 'violation img-src http://evil.example/x']),
  );
  expect(log.takeOrigins()).toContain('http://evil.example');
});
