/** @needs chromium */
import type { Page } from 'playwright-core';
import { axeFaults } from './axe-faults';
import { aConsole, type Console, type Tab } from './open-console';

let opened: Console;
let tab: Tab;
beforeAll(async () => {
  opened = await aConsole();
  tab = await opened.signedIn();
});
afterAll(() => opened?.stop());

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
