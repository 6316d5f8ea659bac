import type { Page } from 'playwright-core';

/** Holds requests of a method, and counts them. `release` lets them go on to the service, past other handlers. */
export async function holding(page: Page, url: string, method: string) {
  let count = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    count++;
    await released;
    return route.continue();
  });
  return { count: () => count, release };
}
