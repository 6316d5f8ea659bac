/** @needs chromium */
import type { Page } from 'playwright-core';
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';

const opened = useConsole();

interface Link {
  id: string;
  name: string;
  desktop_url: string | null;
  social_title: string | null;
}

async function openLink(path: string) {
  const tab = await opened.openLink<Link>(path);
  await tab.page.waitForLoadState('networkidle');
  return tab;
}

const preview = (page: Page) => page.locator('.phone');

/** Selects a visitor. The radio button itself is hidden. */
const select = (page: Page, visitor: string) =>
  page.getByRole('radiogroup', { name: 'Visitor' }).getByText(visitor, { exact: true }).click();

/** Returns the field if it is marked. The mark follows a message in a later render. */
const marked = (page: Page, label: string) => page.getByLabel(label).and(page.locator('[aria-invalid=true]'));

describe('the preview of a link', () => {
  test('follows the typing before anything is saved, for every visitor', async () => {
    const { page, log, link, now } = await openLink('size-guide');
    await select(page, 'Desktop');
    await preview(page).getByText(link.desktop_url!).waitFor();
    await page.getByLabel('Web page').fill('https://draft.example.com/page');
    await preview(page).getByText('https://draft.example.com/page').waitFor();
    await page.getByText('With your changes').waitFor();
    await page.getByLabel('Title of the card').fill('Drafted title');
    await select(page, 'Messenger');
    await preview(page).getByText('Drafted title').waitFor();
    await page.getByLabel('iOS without the app').fill('https://draft.example.com/ios');
    await select(page, 'iOS');
    await preview(page).getByText('https://draft.example.com/ios').waitFor();
    await page.getByLabel('Data for apps').fill('{"screen":"offer"}');
    await preview(page).getByText('{"screen":"offer"}').waitFor();
    expect(await now()).toEqual(link);
    expect(log.problems).toEqual([]);
  });

  test('shows faults at their fields, and keeps the last valid state as outdated', async () => {
    const tab = await openLink('size-guide');
    const { page } = tab;
    await select(page, 'Desktop');
    await page.getByLabel('Web page').fill('https://draft.example.com/valid');
    await preview(page).getByText('https://draft.example.com/valid').waitFor();
    await page.getByLabel('Web page').fill('javascript:alert(1)');
    await page.getByText('is not a complete address').waitFor();
    await marked(page, 'Web page').waitFor();
    await page.getByText('Outdated', { exact: true }).waitFor();
    await page.getByText('Correct the marked fields').waitFor();
    await preview(page).getByText('https://draft.example.com/valid').waitFor();
    expect(await axeFaults(tab)).toEqual([]);
    // Other visitors get the last valid state too.
    await select(page, 'Android');
    await preview(page).getByText('https://draft.example.com/valid').waitFor();
    await page.getByLabel('Web page').fill('https://draft.example.com/again');
    await preview(page).getByText('https://draft.example.com/again').waitFor();
    await page.getByText('Outdated', { exact: true }).waitFor({ state: 'detached' });
    await marked(page, 'Web page').waitFor({ state: 'detached' });

    await page.getByLabel('Path').fill('winter-sale');
    await marked(page, 'Path').waitFor();
  });
});

describe('a saved link', () => {
  test('can be restored', async () => {
    const tab = await openLink('gift');
    const { page, link, now } = tab;
    await page.getByLabel('Title of the card').fill('Saved by mistake');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect((await now()).social_title).toBe('Saved by mistake');
    expect(await axeFaults(tab)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect((await now()).social_title).toBe(link.social_title);
    expect(await page.getByLabel('Title of the card').inputValue()).toBe(link.social_title ?? '');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  });

  test('is restored only over the own change', async () => {
    const { page, link, now } = await openLink('gift');
    await page.getByLabel('Web page').fill('https://mine.example.com/');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await opened.api('put', `/links/${link.id}`).send({ name: 'Theirs' }).expect(200);
    await undo.click();
    await page.getByText('Somebody else changed this').waitFor();
    expect(await now()).toMatchObject({ name: 'Theirs', desktop_url: 'https://mine.example.com/' });
  });
});
