/** @needs chromium */
import type { Browser, Page as Tab } from 'playwright-core';
import type { HtmlPage } from '../../src/link-routing/pages/page';
import { bare, linkPages, messagePages, sample } from '../link-routing/sample-pages';
import { openBrowser } from './open-browser';
import { type PageServer, servePages } from './serve-pages';

let server: PageServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([servePages(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const heading = '- heading "Summer sale" [level=1]';
const text = '- paragraph: Half price until Sunday.';
const stores = [
  '- link "Download on the App Store":',
  '  - /url: https://apps.apple.com/app/id1234567890?pt=1&ct=mail',
  '- link "Get it on Google Play":',
  '  - /url: https://play.google.com/store/apps/details?id=com.example.shop&referrer=a%3Db',
];
const code = [
  '- img "QR code of this link"',
  '- paragraph:',
  '  - strong: On your phone',
  '  - text: Scan the code with the camera to open this link there.',
];
const getTheApp = [
  '- link "Get the app":',
  '  - /url: https://apps.apple.com/app/id1234567890?pt=1&ct=mail',
  '- link "Continue without copying":',
  '  - /url: https://apps.apple.com/app/id1234567890?pt=1&ct=mail',
  '- paragraph: “Get the app” copies this link and a code that works once to your clipboard, so that Garden & Co can open this link after it is installed.',
];
const noScript = 'JavaScript is off in this browser, so nothing is copied.';
const openInApp = [
  '- link "Open in app":',
  '  - /url: intent://summer.go.example/sale#Intent;scheme=https;package=com.example.shop;end',
  '- link "Continue":',
  '  - /url: https://example.com/sale?a=1&b=2',
  '- paragraph: This link belongs in Garden & Co. Without the app, continue here.',
];
/** Adds the button after the first one, whose lines are the first two. */
const withButton = (label: string, url: string) => (lines: string[]) =>
  lines.toSpliced(2, 0, `- link "${label}":`, `  - /url: ${url}`);
const withOpenInApp = withButton('Open in app', 'https://summer-open.go.example/sale?_via=open');
const withOpenInBrowser = withButton('Open in browser', 'x-safari-https://summer.go.example/sale?_via=browser-page');
const app = '- paragraph: Garden & Co';
const appHeading = '- heading "Garden & Co" [level=1]';

const full = { ...sample, imageUrl: null, ipadUrl: null };
const least = { ...sample, ...bare };

/** The accessible text of each page, from top to bottom. */
const table: [string, HtmlPage, string[]][] = [
  ['landing', linkPages.landing(full), [heading, text, ...stores, ...code]],
  [
    'landing, bare',
    linkPages.landing(least),
    [appHeading, '- paragraph: This link has no page for your device.', ...code],
  ],
  ['get the app', linkPages['get the app'](full), [app, heading, text, ...withOpenInApp(getTheApp)]],
  ['get the app, bare', linkPages['get the app'](least), [appHeading, ...getTheApp]],
  ['in-app browser', linkPages['in-app browser'](full), [app, heading, text, ...withOpenInBrowser(openInApp)]],
  ['in-app browser, bare', linkPages['in-app browser'](least), [appHeading, ...openInApp]],
  ['preview', linkPages.preview(full), [app, heading, text]],
  ['preview, bare', linkPages.preview(least), [appHeading]],
  [
    'not found',
    messagePages['not found']!,
    ['- heading "Page not found" [level=1]', '- paragraph: There is no link at this address.'],
  ],
  [
    'unavailable',
    messagePages['unavailable']!,
    [
      '- heading "Back in a moment" [level=1]',
      '- paragraph: This link cannot be opened right now. Please try again shortly.',
    ],
  ],
  [
    'not allowed',
    messagePages['not allowed']!,
    ['- heading "Not allowed" [level=1]', '- paragraph: A link can only be opened.'],
  ],
];

const accessibleLines = async (tab: Tab): Promise<string[]> => {
  const tree = await tab.locator('body').ariaSnapshot();
  // YAML quotes ambiguous texts.
  return tree.split('\n').map((line) => line.replace(/^( *- \w+: )"(.*)"$/, '$1$2'));
};

describe.each([true, false])('with scripts (%s)', (javaScriptEnabled) => {
  let tab: Tab;
  beforeAll(async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    tab = await context.newPage();
  });

  test.each(table)('the page "%s" has the expected accessible text', async (name, page, lines) => {
    await tab.goto(server.add(page));
    expect(await accessibleLines(tab)).toEqual(['- main:', ...lines.map((line) => `  ${line}`)]);
    const hidden = javaScriptEnabled || !name.startsWith('get the app');
    expect((await tab.locator('body').innerText()).includes(noScript)).toBe(!hidden);
  });
});
