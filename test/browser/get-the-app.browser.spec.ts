/** @needs chromium */
import type { BrowserContext, Page as Tab } from 'playwright-core';
import { linkPages, sample } from '../link-routing/pages/sample-pages';
import { eventually } from '../support/eventually';
import { devices } from './devices';
import { usePages } from './use-browser';
import { type ContextLog, fakeOtherSites, watchContext } from './watch-context';

const opened = usePages();
beforeAll(async () => {
  clipboard = await clipboardOf(await opened.browser.newContext());
});

const iPhone = devices['iPhone 15'];

let context: BrowserContext;
let log: ContextLog;
let clipboard: { hold(text: string): Promise<void>; read(): Promise<string> };
let tab: Tab;

interface Visit {
  javaScriptEnabled?: boolean;
  before?: string;
  host?: string;
  clipboardText?: string;
  permissions?: string[];
}

async function open(options: Visit = {}): Promise<void> {
  const { javaScriptEnabled = true, permissions = [] } = options;
  context = await opened.browser.newContext({ ...iPhone, javaScriptEnabled, permissions });
  log = await watchContext(context);
  await fakeOtherSites(context, opened.server.port);
  await clipboard.hold('what was there before');
  tab = await context.newPage();
  // The clock of the page stands, so that only a test lets the page stop waiting for the copy.
  if (javaScriptEnabled) await tab.clock.install();
  if (options.before) await tab.addInitScript(options.before);
  const { clipboardText = sample.clipboardText } = options;
  await tab.goto(opened.server.add(linkPages['get the app']({ ...sample, clipboardText }), options.host));
  if (javaScriptEnabled) await tab.clock.pauseAt(Date.now() + 60_000);
}
afterEach(() => context?.close());

/** Opens a page that may read the clipboard, which all contexts share. The visitor's context has no permission. */
async function clipboardOf(reader: BrowserContext): Promise<typeof clipboard> {
  await reader.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await reader.newPage();
  await page.goto(opened.server.add(linkPages.preview(sample)));
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
  await tab.getByRole('link', { name: label }).tap();
  await tab.waitForURL(sample.storeUrl);
};

const broken = (method: string): string => `document.execCommand = () => ${method};`;
const noSelection = broken(`{ throw new Error('no') }`);

test.each([
  ['in a secure context', {}],
  // A browser with windows permits this after a tap. One without windows has nobody to ask.
  ['without a way to copy a selection', { before: noSelection, permissions: ['clipboard-write'] }],
  ['without the clipboard API', { before: 'delete Navigator.prototype.clipboard' }],
  [
    'when the clipboard API refuses',
    { before: `Clipboard.prototype.writeText = () => Promise.reject(new Error('no'))` },
  ],
  ['when the clipboard API throws', { before: `Clipboard.prototype.writeText = () => { throw new Error('no') }` }],
  ['on a host that is no secure context', { host: 'summer.example' }],
] as [string, Visit][])('a tap copies the link with its token and opens the store: %s', async (_name, options) => {
  await open(options);
  await tap('Get the app');
  expect(await clipboard.read()).toBe(sample.clipboardText);
  expect(log.problems).toEqual([]);
  expect(log.requests.filter((address) => address === sample.storeUrl)).toHaveLength(1);
});

test.each([
  ['nothing can be copied', { before: `delete Navigator.prototype.clipboard; ${noSelection}` }],
  ['scripts are off', { javaScriptEnabled: false }],
])('a tap opens the store when %s', async (_name, options) => {
  await open(options);
  await tap('Get the app');
  expect(await clipboard.read()).toBe('what was there before');
});

test('a tap opens the store within a second when copying never ends', async () => {
  await open({ before: `Clipboard.prototype.writeText = () => new Promise(() => {})` });
  await tab.getByRole('link', { name: 'Get the app' }).tap();
  expect(log.requests).not.toContain(sample.storeUrl);
  await tab.clock.runFor(1000);
  await tab.waitForURL(sample.storeUrl);
  expect(await clipboard.read()).toBe('what was there before');
});

test.each([true, false])(
  '"Continue without copying" leaves the clipboard alone (scripts: %s)',
  async (javaScriptEnabled) => {
    await open({ javaScriptEnabled });
    await tap('Continue without copying');
    expect(await clipboard.read()).toBe('what was there before');
    expect(log.problems).toEqual([]);
  },
);

test('a hostile URL is copied unchanged', async () => {
  const clipboardText = `https://summer.go.example/sale?q="'></script><script>alert(1)</script>&lt;&amp;\u2028&token=1`;
  await open({ clipboardText });
  await tap('Get the app');
  expect(await clipboard.read()).toBe(clipboardText);
});

test.each([
  ['Get the app', {}, ['copied', 'store']],
  ['Continue without copying', {}, ['store']],
  ['Get the app', { before: `delete Navigator.prototype.clipboard; ${noSelection}` }, ['store']],
  ['Get the app', { before: 'delete Navigator.prototype.sendBeacon' }, []],
] as [string, Visit, string[]][])('"%s" reports its steps by the token: %#', async (label, options, steps) => {
  const token = 'To_ken-1To_ken-1To_ken';
  opened.server.reports.splice(0);
  await open({ ...options, clipboardText: `https://summer.go.example/sale?x=1&deferred_link=${token}` });
  await tap(label);
  await eventually(() => opened.server.reports.length >= steps.length);
  expect(opened.server.reports.map((body) => JSON.parse(body) as object)).toEqual(
    steps.map((step) => ({ token, step })),
  );
  expect(log.problems).toEqual([]);
});

test('the page stays usable when the store opens as an app, and the next tap opens it again', async () => {
  await open();
  // Nothing is copied before the tap.
  expect(await clipboard.read()).toBe('what was there before');
  let asked = 0;
  await tab.route(sample.storeUrl, (route) => route.fulfill({ status: ++asked < 2 ? 204 : 200, body: '' }));
  await tab.getByRole('link', { name: 'Get the app' }).tap();
  await eventually(() => asked > 0);
  await tab.clock.runFor(1200);
  await tap('Get the app');
  expect(asked).toBe(2);
});
