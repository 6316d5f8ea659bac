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
/** Fails if an element is not in the window, below the header. */
async function expectInView(page: Page, element: Locator): Promise<void> {
  const box = (await element.boundingBox())!;
  const { height } = page.viewportSize()!;
  expect([box.y >= 60, box.y + box.height <= height]).toEqual([true, true]);
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

  test('keeps the focus at its button', async () => {
    const { page, context } = await openLink('gift');
    await page.getByLabel('Notes').fill('Saved by keyboard');
    await save(page).press('Enter');
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await focused(page, save(page));
    expect(await save(page).isDisabled()).toBe(true);
    await context.close();
  });
});

test('parameters are added and removed by keyboard', async () => {
  const { page, context } = await openLink('careers');
  const add = page.getByRole('button', { name: 'Add a parameter' });
  await add.press('Enter');
  await focused(page, page.getByRole('textbox', { name: 'Name of parameter 1' }));
  await page.getByRole('button', { name: 'Remove parameter 1' }).press('Enter');
  await focused(page, add);
  await context.close();
});

describe('the focus stays in the list of links', () => {
  test('after the selection is cleared, or deleted', async () => {
    const { body } = await opened.api('post', '/links').send({ name: 'Soon deleted' }).expect(201);
    expect(body).toBeDefined();
    const { page, context } = await opened.signedIn(opened.inProject('/links'));
    const all = page.getByRole('checkbox', { name: 'Select all links of this page' });
    const select = () => page.getByRole('checkbox', { name: 'Select Soon deleted' }).check();
    await select();
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await focused(page, all);
    await select();
    const bar = page.getByRole('region', { name: 'Selected links' });
    await bar.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('1 link deleted').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused(page, all);
    await context.close();
  });

  test('after a change of the selected links', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/links'));
    await page.locator('tbody').getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'State' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Disable' }).press('Enter');
    await page.getByText('1 link disabled').waitFor();
    await focused(page, page.getByRole('checkbox', { name: 'Select all links of this page' }));
    await context.close();
  });
});

test('a tag is renamed and deleted by keyboard', async () => {
  for (const name of ['x-autumn', 'x-spring']) await opened.api('post', '/tags').send({ name }).expect(201);
  const { page, context } = await opened.signedIn(opened.inProject('/links'));
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  const tags = page.getByRole('dialog', { name: 'Tags', exact: true });
  await tags.getByRole('button', { name: 'Rename x-spring' }).press('Enter');
  await focused(page, tags.getByLabel('New name of x-spring'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('x-summer');
  await page.keyboard.press('Enter');
  await focused(page, tags.getByRole('button', { name: 'Rename x-summer' }));
  await tags.getByRole('button', { name: 'Delete x-autumn' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete the tag x-autumn?' });
  await question.getByRole('button', { name: 'Delete the tag' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  await tags.getByText('x-autumn', { exact: true }).waitFor({ state: 'detached' });
  await focused(page, tags.getByRole('button', { name: /x-summer$/ }));
  await context.close();
});

test('the menu of a narrow window is out of reach while it is closed', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/links'), {
    viewport: { width: 800, height: 900 },
  });
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
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
