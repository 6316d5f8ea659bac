/** @needs chromium */
import { aConsole, aTab, type Console } from './open-console';

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

test('a new page has the focus, and a change of its filters keeps it', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/links'));
  expect(await page.locator('#content:focus').count()).toBe(0);
  await page.getByRole('link', { name: 'Apps', exact: true }).press('Enter');
  await page.locator('#content:focus').waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).press('Enter');
  await page.locator('#content:focus').waitFor();
  await page.getByRole('searchbox').pressSequentially('gift');
  await page.waitForURL(/search=gift/);
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
  await context.close();
});

test('Ctrl K opens the palette that is still loading', async () => {
  const { page, context } = await aTab(opened.on, opened.browser);
  let load = (): void => {};
  const pressed = new Promise<void>((resolve) => (load = resolve));
  const asked = new Promise<void>((resolve) => {
    void page.route(/\/command-palette[^/]*\.js$/, async (route) => {
      resolve();
      await pressed;
      await route.continue();
    });
  });
  await page.goto(`${opened.on.url}/console${opened.inProject('/links')}#key=${opened.account.key}`);
  await page.getByRole('searchbox').waitFor();
  await asked;
  await page.keyboard.press('Control+k');
  load();
  await page.getByPlaceholder('Search links, projects and pages').and(page.locator(':focus')).waitFor();
  await context.close();
});

test('Ctrl K opens the palette in a field too', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/links'));
  await page.getByRole('searchbox').press('Control+k');
  await page.getByPlaceholder('Search links, projects and pages').and(page.locator(':focus')).waitFor();
  await context.close();
});
