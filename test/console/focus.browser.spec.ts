/** @needs chromium */
import type { Locator, Page } from 'playwright-core';
import { aConsole, type Console, type Tab } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

async function openLink(path: string): Promise<Tab & { id: string }> {
  const [link] = await opened.list<{ id: string }>(`/links?search=${path}`);
  return { ...(await opened.signedIn(opened.inProject(`/links/${link!.id}`))), id: link!.id };
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
/** Waits until an element has the focus. */
const focused = (page: Page, element: Locator): Promise<void> => element.and(page.locator(':focus')).waitFor();
/** Fails if an element is not in the window. */
async function expectInView(page: Page, element: Locator): Promise<void> {
  const box = (await element.boundingBox())!;
  const { height } = page.viewportSize()!;
  expect([box.y >= 0, box.y + box.height <= height]).toEqual([true, true]);
}

describe('a save of a link', () => {
  test('shows a change of somebody else beside its button', async () => {
    const { page, context, id } = await openLink('size-guide');
    await page.getByLabel('External id').fill('mine');
    await opened.api('put', `/links/${id}`).send({ external_id: 'theirs' }).expect(200);
    await save(page).press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'Somebody else changed this' });
    await alert.waitFor();
    await expectInView(page, alert);
    await focused(page, save(page));
    await context.close();
  });

  test('shows its failure beside its button', async () => {
    const { page, context } = await openLink('gift');
    await page.route('**/api/v1/**/links/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'It broke.' } } })
        : route.fallback(),
    );
    await page.getByLabel('External id').fill('mine');
    await save(page).press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'It broke.' });
    await alert.waitFor();
    await expectInView(page, alert);
    await context.close();
  });

  test('leads to the first field that the service refuses', async () => {
    const { page, context } = await openLink('gift');
    await page.getByRole('textbox', { name: 'Path', exact: true }).fill('winter-sale');
    await page.getByLabel('External id').fill('mine');
    await save(page).press('Enter');
    const path = page.getByRole('textbox', { name: 'Path', exact: true });
    await focused(page, path);
    await expectInView(page, path);
    await context.close();
  });
});

test('the menu of a narrow window is out of reach while it is closed', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/links'), {
    viewport: { width: 800, height: 900 },
  });
  const menu = page.getByRole('button', { name: 'Menu' });
  const entry = page.getByRole('navigation').getByRole('link', { name: 'Apps' });
  expect(await entry.count()).toBe(0);
  expect(await menu.getAttribute('aria-expanded')).toBe('false');
  await menu.press('Enter');
  await entry.waitFor();
  expect(await menu.getAttribute('aria-expanded')).toBe('true');
  const controlled = await menu.getAttribute('aria-controls');
  expect(await page.locator(`#${controlled}`).count()).toBe(1);
  await entry.press('Enter');
  await page.getByRole('heading', { name: 'Apps', exact: true }).waitFor();
  await entry.waitFor({ state: 'hidden' });
  await context.close();
});
