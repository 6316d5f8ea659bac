/** @needs chromium */
import type { Page } from 'playwright-core';
import { axeFaults } from './axe-faults';
import { aTab, type Tab, useConsole } from './open-console';

const opened = useConsole();
let tab: Tab;
beforeAll(async () => {
  tab = await opened.signedIn();
});

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const field = (name: string) => (page: Page) => page.getByLabel(name).first().click();

/** Selects the first link, and opens a menu of what is selected. */
const ofSelected = (name: string) => async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Select Winter sale' }).click();
  await button(name)(page);
};

const inProject = (path: string) => () => opened.inProject(path);

const overlays: [name: string, path: () => string, role: string, open: (page: Page) => Promise<void>][] = [
  ['the menu of colours and language', () => '/', 'menu', button('Colours, language and sign-out')],
  ['the palette', () => '/', 'dialog', (page) => page.keyboard.press('Control+k')],
  ['the dialog of a new project', () => '/', 'dialog', button('New project')],
  ['the menu of exports', inProject('/links'), 'menu', button('Export')],
  ['the dialog of tags', inProject('/links'), 'dialog', button('Tags')],
  ['the filter by app', inProject('/links'), 'listbox', field('Filter by app')],
  ['the number of rows', inProject('/links'), 'listbox', field('Links per page')],
  ['the menu of states', inProject('/links'), 'menu', ofSelected('State')],
  ['the question before a deletion', inProject('/links'), 'dialog', ofSelected('Delete')],
  ['the menu of new apps', inProject('/apps'), 'menu', button('Add an app')],
  ['the editor of an app', inProject('/apps'), 'dialog', button('Edit Alpine Shop (iOS)')],
  ['the choice of an app', inProject('/links/new'), 'listbox', field('iOS app')],
];

test.each(overlays)('%s is accessible while it is open', async (_, path, role, open) => {
  const { page } = tab;
  await tab.open(path());
  await open(page);
  await page.locator(`[role=${role}]:visible`).first().waitFor();
  expect(await axeFaults(tab)).toEqual([]);
});

test('Enter in the palette opens the only link that was found', async () => {
  const { page } = tab;
  await tab.open(opened.inProject(''));
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search links, projects and pages').fill('gift cards');
  await page.locator('[data-action]', { hasText: 'Gift cards' }).and(page.locator('[data-selected]')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Gift cards' }).waitFor();
});

test('the arrow keys move from the first result of the palette', async () => {
  const { page } = tab;
  await tab.open(opened.inProject(''));
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search links, projects and pages').fill('poster');
  const action = (at: number) => page.locator('[data-action]').nth(at).and(page.locator('[data-selected]'));
  await action(0).waitFor();
  await page.getByPlaceholder('Search links, projects and pages').fill('the');
  await action(0).waitFor();
  await page.keyboard.press('ArrowDown');
  await action(1).waitFor();
});

test('the page of keys has the command with the id of the account', async () => {
  const { page } = tab;
  await tab.open('/api-keys');
  for (const program of ['npm run --silent admin --', 'docker compose exec signpost node dist/admin.js'])
    await page.getByText(`${program} key create --account ${opened.account.accountId} --name NAME`).waitFor();
});

test('the link to the content does not leave a page with unsaved changes', async () => {
  const { page, log } = await opened.signedIn(opened.inProject('/settings'));
  await page.getByLabel('Name').fill('Mine');
  await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
  await page.locator('#content:focus').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
  expect(log.problems).toEqual([]);
});

test('a new page has the focus, and a change of its filters keeps it', async () => {
  const { page } = await opened.signedIn(opened.inProject('/links'));
  expect(await page.locator('#content:focus').count()).toBe(0);
  await page.getByRole('link', { name: 'Apps', exact: true }).press('Enter');
  await page.locator('#content:focus').waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).press('Enter');
  await page.locator('#content:focus').waitFor();
  await page.getByRole('searchbox').pressSequentially('gift');
  await page.waitForURL(/search=gift/);
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
});

test('Ctrl K opens the palette that is still loading', async () => {
  const { page } = await aTab(opened.on, opened.browser);
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
});

test('Ctrl K opens the palette in a field too', async () => {
  const { page } = await opened.signedIn(opened.inProject('/links'));
  await page.getByRole('searchbox').press('Control+k');
  await page.getByPlaceholder('Search links, projects and pages').and(page.locator(':focus')).waitFor();
});
