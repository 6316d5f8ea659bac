/** @needs chromium */
import { aConsole, type Console } from './open-console';

jest.setTimeout(120_000);

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

test('the link to the content does not leave a page with unsaved changes', async () => {
  const { page, context, log } = await opened.signedIn(opened.inProject('/settings'));
  await page.getByLabel('Name').fill('Mine');
  await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
  await page.locator('#content:focus').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
  expect(log.problems).toEqual([]);
  await context.close();
});
