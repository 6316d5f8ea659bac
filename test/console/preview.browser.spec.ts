/** @needs chromium */
import type { Page } from 'playwright-core';
import { newId } from '../../src/shared/id';
import { aClick, anOpenedLink, clicksOn } from '../clicks/recording/counting';
import { axeFaults } from './axe-faults';
import { aConsole, type Console, type Tab } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

interface Link {
  id: string;
  name: string;
  desktop_url: string | null;
  social_title: string | null;
}

async function linkAt(path: string): Promise<Link> {
  const [link] = await opened.list<Link>(`/links?search=${path}`);
  return link!;
}

async function openLink(path: string): Promise<Tab & { link: Link }> {
  const link = await linkAt(path);
  const tab = await opened.signedIn(opened.inProject(`/links/${link.id}`));
  await tab.page.waitForLoadState('networkidle');
  return { ...tab, link };
}

/** Returns the part of the page that shows what a visitor gets. */
const preview = (page: Page) => page.locator('.phone');

/** Selects a visitor. The radio button itself is hidden. */
const select = (page: Page, visitor: string) =>
  page.getByRole('radiogroup', { name: 'Visitor' }).getByText(visitor, { exact: true }).click();

/** Returns the field if it is marked. The mark follows a message in a later render. */
const marked = (page: Page, label: string) => page.getByLabel(label).and(page.locator('[aria-invalid=true]'));

describe('the preview of a link', () => {
  test('follows the typing before anything is saved, for every visitor', async () => {
    const { page, context, log, link } = await openLink('size-guide');
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
    expect(await linkAt('size-guide')).toEqual(link);
    expect(log.problems).toEqual([]);
    await context.close();
  });

  test('shows faults at their fields, and keeps the last valid state as outdated', async () => {
    const tab = await openLink('size-guide');
    const { page, context } = tab;
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
    await context.close();
  });

  test('sends one request for a burst of typing, and none twice', async () => {
    const { page, context, takeRequests } = await openLink('size-guide');
    await page.clock.install();
    // The preview waits for a pause, which does not come while the clock stands.
    await page.clock.pauseAt(Date.now() + 60_000);
    takeRequests();
    await page.getByLabel('Title of the card').pressSequentially('A title in one go');
    await page.clock.resume();
    await page.getByText('With your changes').waitFor();
    expect(takeRequests()).toEqual([expect.stringMatching(/^POST .*\/explain\?/)]);
    const answered = page.waitForResponse(/explain\?platform=desktop/);
    await select(page, 'Desktop');
    await answered;
    await select(page, 'iOS');
    await page.waitForTimeout(300); // a second request would have been sent
    expect(takeRequests()).toEqual([expect.stringContaining('explain?platform=desktop')]);
    await context.close();
  });

  test('of a new link begins with its name', async () => {
    const tab = await opened.signedIn(opened.inProject('/links/new'));
    const { page, context } = tab;
    await page.getByText('Give the link a name').waitFor();
    await page.getByLabel('Path').fill('winter-sale');
    await page.getByLabel('Name', { exact: false }).first().fill('Drafted');
    await page.getByText('Correct the marked fields').waitFor();
    await marked(page, 'Path').waitFor();
    await page.getByLabel('Path').fill('');
    await page.getByLabel('Web page').fill('https://new.example.com/');
    await preview(page).getByText('https://new.example.com/').waitFor();
    await page.getByLabel('Path').fill('winter-sale');
    await page.getByText('Outdated', { exact: true }).waitFor();
    await marked(page, 'Path').waitFor();
    await preview(page).getByText('https://new.example.com/').waitFor();
    expect(await axeFaults(tab)).toEqual([]);
    expect(await linkAt('Drafted')).toBeUndefined();
    await context.close();
  });
});

describe('a saved link', () => {
  test('can be restored', async () => {
    const tab = await openLink('gift');
    const { page, context, link } = tab;
    await page.getByLabel('Title of the card').fill('Saved by mistake');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect((await linkAt('gift')).social_title).toBe('Saved by mistake');
    expect(await axeFaults(tab)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect((await linkAt('gift')).social_title).toBe(link.social_title);
    expect(await page.getByLabel('Title of the card').inputValue()).toBe(link.social_title ?? '');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await context.close();
  });

  test('is restored only over the own change', async () => {
    const { page, context, link } = await openLink('gift');
    await page.getByLabel('Web page').fill('https://mine.example.com/');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await opened.api('put', `/links/${link.id}`).send({ name: 'Theirs' }).expect(200);
    await undo.click();
    await page.getByText('Somebody else changed this').waitFor();
    expect(await linkAt('gift')).toMatchObject({ name: 'Theirs', desktop_url: 'https://mine.example.com/' });
    await context.close();
  });

  test('can be restored from another tab of its page', async () => {
    const { page, context, link } = await openLink('gift');
    await page.getByLabel('Title of the card').fill('Saved by mistake');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('tab', { name: 'QR code' }).click();
    await page.getByRole('img', { name: 'QR code of' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect((await linkAt('gift')).social_title).toBe(link.social_title);
    await context.close();
  });

  test('keeps changes that are not saved while another tab is shown', async () => {
    const { page, context, log } = await openLink('gift');
    await page.getByLabel('Title of the card').fill('Not saved');
    await page.getByRole('tab', { name: 'QR code' }).click();
    await page.getByRole('img', { name: 'QR code of' }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await page.getByLabel('Title of the card').inputValue()).toBe('Not saved');
    expect(log.problems).toEqual([]);
    await context.close();
  });

  test('offers no undo once there are newer changes', async () => {
    const { page, context } = await openLink('winter-sale');
    await page.getByLabel('Title of the card').fill('First');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByLabel('Title of the card').fill('Second');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await context.close();
  });
});

test('the overview names links of any age, and tells deleted ones apart', async () => {
  const { on, project } = opened;
  const old = newId();
  const deleted = newId();
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, created_at) VALUES ($1, $2, 'The oldest link', 'oldest', '2020-01-01')`,
    [old, project.id],
  );
  const clicks = clicksOn(on.database);
  const click = (id: string) => aClick({ at: Date.now(), projectId: project.id, link: anOpenedLink({ id }) });
  await clicks.write(Array.from({ length: 40_000 }, (_, at) => click(at % 2 === 0 ? old : deleted)));
  await clicks.close();
  const created = Array.from({ length: 100 }, (_, at) => [newId(), `Newer ${at}`, `newer-${at}`]);
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path)
     SELECT id::uuid, $1, name, path FROM json_to_recordset($2) AS new (id text, name text, path text)`,
    [project.id, JSON.stringify(created.map(([id, name, path]) => ({ id, name, path })))],
  );
  const { page, context, takeRequests } = await opened.signedIn(opened.inProject(''));
  await page.getByRole('link', { name: 'The oldest link' }).waitFor();
  await page.getByText(`Deleted link …${deleted.slice(-8)}`).waitFor();
  expect(takeRequests().length).toBeLessThanOrEqual(7);
  await page.getByRole('link', { name: 'The oldest link' }).click();
  await page.getByRole('heading', { name: 'The oldest link' }).waitFor();
  await context.close();
});
