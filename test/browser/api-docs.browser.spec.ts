/** @needs chromium */
import { useService } from './use-browser';
import { watchContext } from './watch-context';

const opened = useService();

test('Swagger UI shows the operations under its Content-Security-Policy', async () => {
  const context = await opened.browser.newContext();
  const log = await watchContext(context);
  const page = await context.newPage();
  await page.goto(`${opened.on.url}/api/docs`);
  await page.locator('.opblock').first().click();
  await page.locator('.opblock-body .response').first().waitFor();
  expect(await page.title()).toBe('API description');
  expect(await page.locator('.opblock').count()).toBeGreaterThan(20);
  expect(log.problems).toEqual([]);
});
