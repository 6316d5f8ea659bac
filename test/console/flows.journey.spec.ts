/** @needs chromium */
import { readFileSync } from 'node:fs';
import { pictureOfPng, readQrCode } from '../support/qr-reader';
import { axeFaults } from './axe-faults';
import { save, useConsole } from './open-console';

const opened = useConsole();

interface Link {
  id: string;
  name: string;
  desktop_url: string | null;
}

const links = (search: string): Promise<Link[]> => opened.list(`/links?search=${search}`);

test('the printed link signs in, and leaves no key in the address and the history', async () => {
  const { page, context, log } = await opened.signedIn(opened.inProject(''));
  expect(page.url()).toBe(`${opened.on.url}/console${opened.inProject('')}`);
  await page.getByRole('heading', { name: 'Clicks over time' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Clicks over time' }).waitFor();
  const another = await context.newPage();
  await another.goto(`${opened.on.url}/console/`);
  await another.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(log.problems).toEqual([]);
});

test('a newcomer creates a link, sees where it leads, and downloads its QR code', async () => {
  const { page, log } = await opened.signedIn(opened.inProject('/links'));
  await page.getByRole('link', { name: 'New link' }).click();
  await page.getByRole('heading', { name: 'New link' }).waitFor();
  await page.getByLabel('Name', { exact: false }).first().fill('Spring');
  await page.getByLabel('Path').fill('spring');
  await page.getByLabel('Web page').fill('https://shop.example.com/spring');
  await page.getByText('https://shop.example.com/spring').first().waitFor();
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: 'Spring' }).waitFor();
  await page.getByText('https://shop.example.com/spring').first().waitFor();

  await page.getByRole('tab', { name: 'QR code' }).click();
  await page.getByRole('img', { name: 'QR code of' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PNG' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('qr-spring.png');
  const content = readQrCode(pictureOfPng(readFileSync(await download.path())));
  expect(content).toMatch(/^http:\/\/demo\.localhost:3000\/spring\?_via=qr$/);
  expect((await opened.on.visit('demo', '/spring')).headers['location']).toBe('https://shop.example.com/spring');
  expect(log.problems).toEqual([]);
});

test('an error of the service stands at its field', async () => {
  const { page } = await opened.signedIn(opened.inProject('/links/new'));
  await page.getByLabel('Name', { exact: false }).first().fill('Again');
  await page.getByLabel('Path').fill('winter-sale');
  await page.getByLabel('Web page').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByText('is not a complete address').waitFor();
  expect(await page.getByLabel('Web page').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Web page').fill('https://example.com/');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.locator('[aria-invalid=true]').and(page.getByLabel('Path')).waitFor();
});

test('a change of somebody else is shown instead of overwritten', async () => {
  const { page, link, now } = await opened.openLink<Link>('size-guide');
  await page.getByLabel('Web page').fill('https://example.com/mine');
  await opened.api('put', `/links/${link.id}`).send({ name: 'Theirs' }).expect(200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Somebody else changed this').waitFor();
  expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(0);
  await page.getByText('Changes of others in other fields stay: Name').waitFor();
  expect(await now()).toMatchObject({ name: 'Theirs', desktop_url: link.desktop_url });
  await page.getByRole('button', { name: 'Load the current state' }).click();
  await page.getByLabel('Web page').fill('https://example.com/mine');
  await save(page);
  expect(await now()).toMatchObject({ name: 'Theirs', desktop_url: 'https://example.com/mine' });
});

test('the list of links searches, sorts and selects, and its address keeps it', async () => {
  const { page, log } = await opened.signedIn(opened.inProject('/links'));
  await page.getByRole('searchbox').fill('poster');
  await page.waitForURL(/search=poster/);
  await page.getByText('1 link', { exact: true }).waitFor();
  await page.reload();
  expect(await page.getByRole('searchbox').inputValue()).toBe('poster');
  await page.getByText('1 link', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('No link matches').waitFor();
  await page.getByRole('button', { name: 'Show all links' }).click();
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(/sortBy=name/);
  await page.getByRole('checkbox', { name: 'Select Careers' }).check();
  await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Careers' }).waitFor({ state: 'detached' });
  expect(await links('careers')).toEqual([]);
  expect(log.problems).toEqual([]);
});

test('tags are given to a link, and filter the list', async () => {
  const { page, log, now } = await opened.openLink<Link & { tags: string[] }>('size-guide');
  const field = page.getByLabel('Tags', { exact: true }).first();
  for (const name of ['Flyer', 'Board']) {
    await field.fill(name);
    await field.press('Enter');
  }
  await save(page);
  await page.goto(`${opened.on.url}/console${opened.inProject('/links')}`);
  await page.getByRole('combobox', { name: 'Filter by tag' }).click();
  await page.getByRole('option', { name: 'Flyer' }).click();
  await page.waitForURL(/tag=Flyer/);
  await page.getByText('1 link', { exact: true }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'size-guide' });
  await row.getByText('Board').waitFor();
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  const manager = page.getByRole('dialog', { name: 'Tags', exact: true });
  await manager.getByRole('row').filter({ hasText: 'Flyer' }).getByText('1 link').waitFor();
  await manager.getByRole('button', { name: 'Rename Board' }).click();
  await manager.getByLabel('New name of Board').fill('Panel');
  await manager.getByRole('button', { name: 'Save the name' }).click();
  await manager.getByRole('button', { name: 'Merge Panel into another tag' }).click();
  expect(await axeFaults({ page })).toEqual([]);
  await manager.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Flyer' }).click();
  await page.getByRole('dialog', { name: 'Merge Panel into Flyer?' }).getByRole('button', { name: 'Merge' }).click();
  await manager.getByText('Panel').waitFor({ state: 'detached' });
  expect((await now()).tags).toEqual(['Flyer']);
  await manager.getByRole('button', { name: 'Delete Flyer' }).click();
  await page.getByRole('dialog', { name: 'Delete the tag Flyer?' }).getByRole('button', { name: 'Delete' }).click();
  await manager.getByText('Flyer').waitFor({ state: 'detached' });
  expect(log.problems).toEqual([]);
});

test('selected links, and all that match, are changed by one request', async () => {
  const full = (at: number) => Array.from({ length: 20 }, (_, tag) => `Tag ${at}.${tag}`);
  // More tags than a page has, so that Zebra is found by a search only.
  const tagsOf = (at: number) => (at === 29 ? ['Zebra'] : at === 1 || at > 5 ? ['Paper'] : full(at));
  const created = Array.from({ length: 30 }, (_, at) => ({
    op: 'create',
    link: { name: `Flyer ${at}`, tags: tagsOf(at) },
  }));
  await opened.api('post', '/links/bulk').send({ operations: created, atomic: true }).expect(200);
  const list = opened.inProject('/links?search=Flyer&sortBy=name&sortOrder=asc');
  const { page, log, takeRequests } = await opened.signedIn(list);
  const bar = page.getByRole('region', { name: 'Selected links' });
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const writes = () => takeRequests().filter((request) => !request.startsWith('GET'));
  const bulk = `POST /api/v1${opened.inProject('/links/bulk')}`;

  for (const name of ['Flyer 0', 'Flyer 1'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  await bar.getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('menuitem', { name: 'Add tags' }).click();
  const tags = dialog('Add tags to 2 links?');
  await tags.getByLabel('Tags', { exact: true }).first().fill('Autumn');
  await page.keyboard.press('Enter');
  await page.keyboard.type('zeb');
  await page.getByRole('option', { name: 'Zebra' }).click();
  expect(await axeFaults({ page })).toEqual([]);
  await tags.getByRole('button', { name: 'Add tags' }).click();
  const failures = dialog('1 link stays as it is');
  await failures.getByText('It would have more than 20 tags.').waitFor();
  await failures.getByRole('link', { name: 'Flyer 0' }).waitFor();
  expect(await axeFaults({ page })).toEqual([]);
  await page.keyboard.press('Escape');
  await bar.getByText('1 link selected').waitFor();
  await page.getByRole('row').filter({ hasText: 'Flyer 1' }).first().getByText('Autumn').waitFor();
  expect(writes()).toEqual([`${bulk}/by-filter`]);

  const selectAll = async (count: number) => {
    await page.getByRole('checkbox', { name: 'Select all links of this page' }).check();
    await bar.getByRole('button', { name: `Select all ${count} links that match` }).click();
    await bar.getByText(`All ${count} links that match are selected`).waitFor();
  };
  await selectAll(30);
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await bar.waitFor({ state: 'detached' });
  await page.goBack();
  await selectAll(30);
  await opened.api('post', '/links').send({ name: 'Flyer 30' }).expect(201);
  await bar.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitem', { name: 'Archive', exact: true }).click();
  await dialog('Archive 30 links?').getByRole('button', { name: 'Archive' }).click();
  await page.getByText('because 31 links match now, not 30').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('31 links', { exact: true }).waitFor();
  await selectAll(31);
  await bar.getByRole('button', { name: 'Delete' }).click();
  const deletion = dialog('Delete 31 links?');
  expect(await deletion.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await deletion.getByRole('textbox').fill('31');
  await deletion.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No link matches').waitFor();
  expect(writes()).toEqual([`${bulk}/by-filter`, `${bulk}/by-filter`]);
  expect(await links('Flyer')).toEqual([]);
  // The browser reports the refusal.
  expect(log.problems.filter((problem) => !JSON.stringify(problem).includes('409'))).toEqual([]);
});
