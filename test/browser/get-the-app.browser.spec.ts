/** @needs chromium */
import { type Browser, type BrowserContext, devices, type Page as Tab } from 'playwright-core';
import { linkPages, sample } from '../link-routing/sample-pages';
import { openBrowser } from './browser';
import { openSite, type Site } from './site';
import { pretend, watch, type Witness } from './witness';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([openSite(), openBrowser()]);
  clipboard = await clipboardOf(await browser.newContext());
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const { defaultBrowserType: _, ...iPhone } = devices['iPhone 15'];

let context: BrowserContext;
let witness: Witness;
let clipboard: { hold(text: string): Promise<void>; read(): Promise<string> };
let tab: Tab;

async function open(
  options: { javaScriptEnabled?: boolean; before?: string; host?: string; clipboardText?: string } = {},
): Promise<void> {
  context = await browser.newContext({ ...iPhone, javaScriptEnabled: options.javaScriptEnabled ?? true });
  witness = await watch(context);
  await pretend(context, site.port);
  await clipboard.hold('what was there before');
  tab = await context.newPage();
  if (options.before) await tab.addInitScript(options.before);
  await tab.goto(
    site.show(linkPages['get the app']({ ...sample, clipboardText: options.clipboardText ?? sample.clipboardText }), options.host),
  );
}
afterEach(() => context?.close());

/** All contexts of a browser share one clipboard. Only this one may look into it, and the visitor's is granted nothing. */
async function clipboardOf(reader: BrowserContext): Promise<typeof clipboard> {
  await reader.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await reader.newPage();
  await page.goto(site.show(linkPages.preview(sample)));
  return {
    hold: async (text) => {
      await page.bringToFront();
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    },
    read: async () => {
      await page.bringToFront();
      return page.evaluate('navigator.clipboard.readText()');
    },
  };
}

const tap = async (label: string): Promise<void> => {
  const started = Date.now();
  await tab.getByRole('link', { name: label }).tap();
  await tab.waitForURL(sample.storeUrl);
  expect(Date.now() - started).toBeLessThan(3000);
};

const broken = (method: string): string => `document.execCommand = () => ${method};`;
const noSelection = broken(`{ throw new Error('no') }`);

test.each([
  ['in a secure context', {}],
  ['without a way to copy a selection', { before: noSelection }],
  ['without the clipboard API', { before: 'delete Navigator.prototype.clipboard' }],
  [
    'when the clipboard API refuses',
    { before: `Clipboard.prototype.writeText = () => Promise.reject(new Error('no'))` },
  ],
  ['when the clipboard API throws', { before: `Clipboard.prototype.writeText = () => { throw new Error('no') }` }],
  ['on a host that is no secure context', { host: 'summer.example' }],
])('the tap copies the link with its token and leads to the store: %s', async (_name, options) => {
  await open(options);
  await tap('Get the app');
  expect(await clipboard.read()).toBe(sample.clipboardText);
  expect(witness.problems).toEqual([]);
  expect(witness.requests.filter((address) => address === sample.storeUrl)).toHaveLength(1);
});

test.each([
  ['nothing can be copied', { before: `delete Navigator.prototype.clipboard; ${noSelection}` }],
  ['copying never ends', { before: `Clipboard.prototype.writeText = () => new Promise(() => {})` }],
  ['scripts are off', { javaScriptEnabled: false }],
])('the tap leads to the store when %s', async (_name, options) => {
  await open(options);
  await tap('Get the app');
  expect(await clipboard.read()).toBe('what was there before');
});

test.each([true, false])(
  '"Continue without copying" leaves the clipboard alone (scripts: %s)',
  async (javaScriptEnabled) => {
    await open({ javaScriptEnabled });
    await tap('Continue without copying');
    expect(await clipboard.read()).toBe('what was there before');
    expect(witness.problems).toEqual([]);
  },
);

test('a hostile address is copied as it is', async () => {
  const clipboardText = `https://summer.go.example/sale?q="'></script><script>alert(1)</script>&lt;&amp;\u2028&token=1`;
  await open({ clipboardText });
  await tap('Get the app');
  expect(await clipboard.read()).toBe(clipboardText);
});

test('nothing is copied before the tap', async () => {
  await open();
  expect(await clipboard.read()).toBe('what was there before');
});

test('whoever comes back can tap again', async () => {
  await open();
  await tap('Get the app');
  await tab.goBack();
  await clipboard.hold('something else');
  await tab.bringToFront();
  await tap('Get the app');
  expect(await clipboard.read()).toBe(sample.clipboardText);
});

test('a store that opens as an app leaves the page as it is, and the next tap goes there again', async () => {
  await open();
  let asked = 0;
  await tab.route(sample.storeUrl, (route) => route.fulfill({ status: ++asked < 2 ? 204 : 200, body: '' }));
  await tab.getByRole('link', { name: 'Get the app' }).tap();
  await tab.waitForTimeout(1200);
  expect(asked).toBe(1);
  await tap('Get the app');
});
