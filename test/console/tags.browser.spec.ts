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

async function openTags(path: string) {
  const tab = await opened.signedIn(opened.inProject(path));
  await tab.page.getByRole('button', { name: 'Tags', exact: true }).click();
  await manager(tab.page).waitFor();
  return tab;
}

/** Closes the dialog of tags, which ignores Escape until what a change affects is read again. */
async function closeTags(page: Page): Promise<void> {
  await manager(page).locator('.mantine-Modal-close:enabled').waitFor();
  await page.keyboard.press('Escape');
  await manager(page).waitFor({ state: 'detached' });
}

const tagIn = (page: Page) => new URL(page.url()).searchParams.get('tag');

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

test('the filter follows a tag that is merged, and ends with one that is deleted', async () => {
  const { page, context } = await openTags('/links?tag=autumn');
  await manager(page).getByRole('button', { name: 'Merge autumn' }).click();
  await manager(page).getByRole('combobox').click();
  await page.getByRole('option', { name: 'winter' }).click();
  await page.getByRole('dialog', { name: 'Merge autumn' }).getByRole('button', { name: 'Merge the tags' }).click();
  await page.waitForURL(/tag=winter/);
  await manager(page).getByRole('button', { name: 'Delete winter' }).click();
  await page.getByRole('dialog', { name: 'Delete the tag' }).getByRole('button', { name: 'Delete the tag' }).click();
  await page.waitForURL((url) => !url.searchParams.has('tag'));
  await page.getByRole('dialog', { name: 'Delete the tag' }).waitFor({ state: 'detached' });
  await closeTags(page);
  await page.getByRole('link', { name: 'Of winter' }).waitFor();
  await context.close();
});

test('a change of another tag keeps the filter', async () => {
  for (const name of ['filtered', 'other']) await opened.api('post', '/tags').send({ name }).expect(201);
  const { page, context } = await openTags('/links?tag=filtered');
  await page.getByText('another tag').waitFor();
  await manager(page).getByRole('button', { name: 'Delete other' }).click();
  await page.getByRole('dialog', { name: 'Delete the tag' }).getByRole('button', { name: 'Delete the tag' }).click();
  await manager(page).getByText('other', { exact: true }).waitFor({ state: 'detached' });
  expect(tagIn(page)).toBe('filtered');
  await context.close();
});

test('the buttons of a long tag are in a narrow window', async () => {
  await opened
    .api('post', '/tags')
    .send({ name: 'x'.repeat(50) })
    .expect(201);
  const { page, context } = await opened.signedIn(opened.inProject('/links'), {
    viewport: { width: 360, height: 800 },
  });
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  const button = manager(page).getByRole('button', { name: 'Delete xxx' });
  await button.waitFor();
  const { x, width } = (await button.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(360);
  await context.close();
});
