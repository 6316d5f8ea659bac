/** @needs chromium */
import type { Page, Route } from 'playwright-core';
import { holding } from './holding';
import { aConsole, type Console } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

const isBusy = (route: Route) =>
  route.fulfill({
    status: 503,
    headers: { 'Retry-After': '1', 'Content-Type': 'application/json' },
    body: JSON.stringify({ error: { code: 'DATABASE_ERROR', message: 'The database is busy.' } }),
  });

/** Checks that neither keys nor clicks close the dialog that waits for an answer. */
async function expectToStay(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
  await dialog.locator('.mantine-Modal-close:disabled').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await dialog.isVisible()).toBe(true);
}

describe('a deletion that was confirmed', () => {
  const openLink = async (path: string) => {
    const [link] = await opened.list<{ id: string; name: string }>(`/links?search=${path}`);
    const tab = await opened.signedIn(opened.inProject(`/links/${link!.id}`));
    await tab.page.getByRole('button', { name: 'Delete', exact: true }).click();
    const name = `Delete ${link!.name}?`;
    const dialog = tab.page.getByRole('dialog', { name });
    const confirm = () => dialog.getByRole('button', { name: 'Delete' }).click();
    const cancel = () => dialog.getByRole('button', { name: 'Cancel' }).click();
    return { ...tab, link: link!, name, dialog, confirm, cancel };
  };
  const remaining = async (path: string) => (await opened.list(`/links?search=${path}`)).length;

  test('is sent once, also offline, and not after the dialog was closed', async () => {
    const { page, context, dialog, confirm, cancel, takeRequests } = await openLink('size-guide');
    const deletions = () => takeRequests().filter((request) => request.startsWith('DELETE')).length;
    await page.route('**/api/v1/**/links/*', (route) =>
      route.request().method() === 'DELETE' ? isBusy(route) : route.fallback(),
    );
    await confirm();
    await dialog.getByText('The database does not answer at the moment').waitFor();
    await page.unroute('**/api/v1/**/links/*');
    expect(deletions()).toBe(1);
    await context.setOffline(true);
    await confirm();
    await dialog.getByText('The service cannot be reached').waitFor();
    await cancel();
    await dialog.waitFor({ state: 'detached' });
    await context.setOffline(false);
    // A request that waits for the connection would be sent before this one is answered.
    const answered = page.waitForResponse(/short-links/);
    await page.getByRole('tab', { name: 'Short links' }).click();
    await answered;
    expect(await remaining('size-guide')).toBe(1);
    await context.close();
  });

  test('keeps its dialog open until the answer', async () => {
    const { page, context, name, dialog, confirm } = await openLink('size-guide');
    const deletion = await holding(page, '**/api/v1/**/links/*', 'DELETE');
    await confirm();
    await expectToStay(page, name);
    deletion.release();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    expect(await remaining('size-guide')).toBe(0);
    await context.close();
  });
});

test('a new project keeps its dialog open until the answer, and is sent three times at most', async () => {
  const { page, context } = await opened.signedIn('/');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').fill('Harbour');
  let attempts = 0;
  await page.route('**/api/v1/projects', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    attempts++;
    return isBusy(route);
  });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('The database does not answer at the moment').waitFor();
  expect(attempts).toBe(3);
  const creation = await holding(page, '**/api/v1/projects', 'POST');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expectToStay(page, 'New project');
  creation.release();
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  expect(creation.count()).toBe(1);
  await context.close();
});

test('the editor of an app stays open while it saves', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/apps'));
  await page.getByRole('button', { name: 'Edit Alpine Shop (iOS)' }).click();
  const editor = page.getByRole('dialog', { name: 'Alpine Shop', exact: true });
  await editor.getByLabel('App Store ID').fill('123456');
  const change = await holding(page, '**/api/v1/**/ios-apps/*', 'PUT');
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.locator('.mantine-Drawer-close:disabled').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await editor.isVisible()).toBe(true);
  change.release();
  await editor.waitFor({ state: 'detached' });
  expect(change.count()).toBe(1);
  await context.close();
});

test('the editor of an app can be closed after a save without a connection', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/apps'));
  await page.getByRole('button', { name: 'Edit Alpine Shop (iOS)' }).click();
  const editor = page.getByRole('dialog', { name: 'Alpine Shop', exact: true });
  await editor.getByLabel('App Store ID').fill('654321');
  await context.setOffline(true);
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.getByText('The service cannot be reached').waitFor();
  context.removeAllListeners('dialog');
  context.on('dialog', (question) => void question.accept());
  await editor.locator('.mantine-Drawer-close').click();
  await editor.waitFor({ state: 'detached' });
  await context.close();
});

describe('a dialog above another one', () => {
  test('is closed alone by Escape, and shows why an app cannot be deleted', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/apps'));
    await page.getByRole('button', { name: 'Edit Alpine Shop (iOS)' }).click();
    const editor = page.getByRole('dialog', { name: 'Alpine Shop', exact: true });
    const question = page.getByRole('dialog', { name: 'Delete Alpine Shop?' });
    const ask = () => editor.getByRole('button', { name: 'Delete' }).click();
    await ask();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await editor.isVisible()).toBe(true);

    const deletion = await holding(page, '**/api/v1/**/ios-apps/*', 'DELETE');
    await ask();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expectToStay(page, 'Delete Alpine Shop?');
    deletion.release();
    await question.getByText(/^Links still use the app: ./).waitFor();
    expect(await editor.isVisible()).toBe(true);
    await context.close();
  });

  test('is closed alone by Escape in the dialog of tags', async () => {
    await opened.api('post', '/tags').send({ name: 'autumn' }).expect(201);
    const { page, context } = await opened.signedIn(opened.inProject('/links'));
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    const tags = page.getByRole('dialog', { name: 'Tags', exact: true });
    await tags.getByRole('button', { name: 'Delete autumn' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the tag autumn?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await tags.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await tags.waitFor({ state: 'detached' });
    await context.close();
  });
});

test('the dialog of tags stays open during a change of a name, and asks again about the same merge', async () => {
  for (const name of ['early', 'late']) await opened.api('post', '/tags').send({ name }).expect(201);
  const { page, context } = await opened.signedIn(opened.inProject('/links'));
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  const tags = page.getByRole('dialog', { name: 'Tags', exact: true });
  const question = page.getByRole('dialog', { name: 'Merge early into late?' });
  await tags.getByRole('button', { name: 'Merge early' }).click();
  for (let times = 0; times < 2; times++) {
    await tags.getByRole('combobox').click();
    await page.getByRole('option', { name: 'late' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
  }

  await tags.getByRole('button', { name: 'Rename early' }).click();
  const change = await holding(page, '**/api/v1/**/tags/*', 'PUT');
  await tags.getByRole('textbox').last().fill('soon');
  await tags.getByRole('button', { name: 'Save' }).click();
  await tags.locator('.mantine-Modal-close:disabled').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await tags.isVisible()).toBe(true);
  change.release();
  await tags.getByText('soon', { exact: true }).waitFor();
  // The new name shows before the change has ended, and Escape does nothing until then.
  await tags.locator('.mantine-Modal-close:enabled').waitFor();
  await page.keyboard.press('Escape');
  await tags.waitFor({ state: 'detached' });
  await context.close();
});

test('the focus is where it was after the editor of an app is closed', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/apps'));
  const edit = page.getByRole('button', { name: 'Edit Alpine Shop (iOS)' });
  const editor = page.getByRole('dialog', { name: 'Alpine Shop', exact: true });
  await edit.press('Enter');
  await editor.locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await editor.waitFor({ state: 'detached' });
  await edit.and(page.locator(':focus')).waitFor();
  const add = page.getByRole('button', { name: 'Add an app' });
  await add.press('Enter');
  await page.getByRole('menuitem', { name: 'iOS app' }).press('Enter');
  const added = page.getByRole('dialog', { name: 'New iOS app' });
  await added.locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await added.waitFor({ state: 'detached' });
  await add.and(page.locator(':focus')).waitFor();
  await context.close();
});
