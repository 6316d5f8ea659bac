import type { Browser, BrowserContext } from 'playwright-core';
import { maxWaitMs } from '../support/eventually';
import { programPath } from '../support/programs';

/** Starts Chromium with DNS limited to loopback: `*.localhost` is a secure context, `*.example` is not. */
export async function openBrowser(): Promise<Browser> {
  // An import above would fail, not skip the tests, while the package is not installed.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: programPath('chromium')!,
    args: [
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
      // The sandbox of Chromium does not start as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  const [newContext, close] = [browser.newContext.bind(browser), browser.close.bind(browser)];
  // `newPage` of the browser calls it too.
  browser.newContext = async (options) => prepared(await newContext(options));
  browser.close = async (options) => {
    // A failed test leaves its context open.
    await Promise.all(browser.contexts().map((context) => context.close()));
    await close(options);
  };
  return browser;
}

/** Gives a context the limit of all waits, and ends its routes when it is closed. */
function prepared(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(maxWaitMs);
  const close = context.close.bind(context);
  context.close = async (options) => {
    // A handler may wait for an answer that the closed page does not need.
    const routed = [context, ...context.pages()];
    // Not awaited before the end of the context, because it waits for requests that nobody answers.
    const unrouted = Promise.allSettled(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
    await close(options);
    await unrouted;
  };
  return context;
}
