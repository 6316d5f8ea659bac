/** @needs chromium */
import type { Page } from 'playwright-core';
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';

const opened = useConsole();

const refusedText = 'Your sign-in is no longer valid. Please sign in again.';
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });

/** Opens a new link with text, and lets the service refuse the key from then on. */
async function expired() {
  const tab = await opened.signedIn(opened.inProject('/links/new'));
  const { page } = tab;
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Draft');
  const { key } = opened.account;
  await page.route('**/api/v1/**', (route) =>
    route.request().headers()['authorization'] === `Bearer ${key}`
      ? route.fulfill({ status: 401, json: { error: { code: 'UNAUTHORIZED', message: 'This key was revoked.' } } })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByText(refusedText).waitFor();
  return tab;
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in with the key' }).click();
}

test('typed text survives the end of the sign-in', async () => {
  const { page } = await expired();
  expect(await axeFaults({ page })).toEqual([]);
  await signIn(page, `svc_live_${'a'.repeat(46)}`);
  await page.getByText('does not accept this API key').waitFor();
  await signIn(page, await opened.on.anotherKey(opened.account.accountId));
  await dialog(page).waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Draft');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: 'Draft' }).waitFor();
});

test('another account sees nothing of what was typed', async () => {
  const { page } = await expired();
  await signIn(page, (await opened.on.anAccount()).key);
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create the link' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('');
  expect(await page.getByText('Demo', { exact: true }).count()).toBe(0);
});
