import type { Browser } from 'playwright-core';
import { aService, type TestService } from '../support/service';
import { openBrowser } from './open-browser';
import { type PageServer, servePages } from './serve-pages';

/** Opens a browser for the tests of a file, with a server of pages of link hosts. */
export function usePages() {
  const opened = {} as { browser: Browser; server: PageServer };
  beforeAll(async () => {
    const [browser, server] = await Promise.all([openBrowser(), servePages()]);
    Object.assign(opened, { browser, server });
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.server?.close();
  });
  return opened;
}

/** Opens a browser for the tests of a file, with a service. */
export function useService(environment: Record<string, string> = {}) {
  const opened = {} as { browser: Browser; on: TestService };
  beforeAll(async () => {
    const [browser, on] = await Promise.all([openBrowser(), aService(environment)]);
    Object.assign(opened, { browser, on });
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.on?.stop();
  });
  return opened;
}
