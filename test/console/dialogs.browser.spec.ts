/** @needs chromium */
import type { Page, Route } from 'playwright-core';
import { holding } from './holding';
import { useConsole } from './open-console';

const opened = useConsole();

const isBusy = (route: Route) =>
  route.fulfill({
    status: 503,
    headers: { 'Retry-After': '1' },
    json: { error: { code: 'DATABASE_ERROR', message: 'The database is busy.' } },
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
    const tab = await opened.openLink<{ id: string; name: string }>(path);
    await tab.page.getByRole('button', { name: 'Delete', exact: true }).click();
    const name = `Delete ${tab.link.name}?`;
    const dialog = tab.page.getByRole('dialog', { name });
    const confirm = () => dialog.getByRole('button', { name: 'Delete' }).click();
    const cancel = () => dialog.getByRole('button', { name: 'Cancel' }).click();
    return { ...tab, name, dialog, confirm, cancel };
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
  });

  test('keeps its dialog open until the answer', async () => {
    const { page, name, dialog, confirm } = await openLink('size-guide');
    const deletion = await holding(page, '**/api/v1/**/links/*', 'DELETE');
    await confirm();
    await expectToStay(page, name);
    deletion.release();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    expect(await remaining('size-guide')).toBe(0);
  });
});

test('a change that breaks a released version waits for an answer, or is reported', async () => {
  const [app] = await opened.list<{ id: string }>('/ios-apps');
  const release = { version: '1.2.3', hosts: ['demo.localhost'] };
  await opened.api('post', `/ios-apps/${app!.id}/releases`).send(release).expect(201);
  await opened.api('put', '').send({ release_guard: 'refuse' }).expect(200);
  const { page, takeRequests } = await opened.signedIn(opened.inProject('/settings'));
  const subdomain = page.getByRole('textbox', { name: 'Subdomain', exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const saved = page.getByText('Saved', { exact: true }).first();
  const dialog = page.getByRole('dialog', { name: 'Installed apps need this' });
  await subdomain.fill('demo-two');
  await save.click();
  await dialog.getByText('iOS 1.2.3: links leave demo.localhost').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await save.click();
  takeRequests();
  await dialog.getByRole('button', { name: 'Change anyway' }).click();
  await saved.waitFor();
  expect(takeRequests().filter((request) => request.startsWith('PUT'))).toEqual([
    expect.stringContaining('acknowledge=1.2.3'),
  ]);
  await opened.api('put', '').send({ subdomain: 'demo', release_guard: 'warn' }).expect(200);
  await page.reload();
  await subdomain.fill('demo-three');
  await save.click();
  await page.getByText('The change breaks released versions of apps: 1.2.3').waitFor();
  await saved.waitFor();
});
