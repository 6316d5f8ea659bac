/** @needs chromium */
import type { Browser } from 'playwright-core';
import { aService, type TestService } from '../support/service';
import { openBrowser } from './open-browser';
import { watchContext } from './watch-context';

let on: TestService;
let browser: Browser;
beforeAll(async () => {
  [on, browser] = await Promise.all([aService(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await on?.stop();
});

test('Swagger UI shows the operations under its Content-Security-Policy', async () => {
  const context = await browser.newContext();
  const log = await watchContext(context);
  const page = await context.newPage();
  await page.goto(`${on.url}/api/docs`);
  await page.locator('.opblock').first().click();
  await page.locator('.opblock-body .response').first().waitFor();
  expect(await page.title()).toBe('API description');
  expect(await page.locator('.opblock').count()).toBeGreaterThan(20);
  expect(log.problems).toEqual([]);
});
