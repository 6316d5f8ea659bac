/** @needs chromium */
import type { Page } from 'playwright-core';
import { aConsole, type Console } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
  const operations = ['autumn', 'spring', 'winter'].map((tag) => ({
    op: 'create',
    link: { name: `Of ${tag}`, tags: [tag] },
  }));
  await opened.api('post', '/links/bulk').send({ operations, atomic: true }).expect(200);
});
afterAll(() => opened?.stop());

const manager = (page: Page) => page.getByRole('dialog', { name: 'Tags', exact: true });

/** Closes the dialog of tags, which ignores Escape until what a change affects is read again. */
async function closeTags(page: Page): Promise<void> {
  await manager(page).locator('.mantine-Modal-close:enabled').waitFor();
  await page.keyboard.press('Escape');
  await manager(page).waitFor({ state: 'detached' });
}

test('the filter follows a tag that is renamed, and so do the clicks by tag', async () => {
  const { page, context, takeRequests } = await opened.signedIn(opened.inProject(''));
  await page.getByText('Clicks over time').first().waitFor();
  const readByTag = () => takeRequests().filter((request) => request.includes('group_by=tag')).length;
  await page.getByRole('tab', { name: 'Tags' }).click();
  await page.waitForLoadState('networkidle');
  expect(readByTag()).toBe(1);
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await page.getByRole('combobox', { name: 'Filter by tag' }).click();
  await page.getByRole('option', { name: 'spring' }).click();
  await page.waitForURL(/tag=spring/);
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  await manager(page).getByRole('button', { name: 'Rename spring' }).click();
  await manager(page).getByLabel('New name of spring').fill('Easter');
  await manager(page).getByRole('button', { name: 'Save the name' }).click();
  await page.waitForURL(/tag=Easter/);
  await closeTags(page);
  await page.getByRole('link', { name: 'Of spring' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Filter by tag' }).inputValue()).toBe('Easter');
  await page.getByRole('link', { name: 'Overview' }).click();
  const answered = page.waitForRequest(/group_by=tag/);
  await page.getByRole('tab', { name: 'Tags' }).click();
  await answered;
  await context.close();
});
