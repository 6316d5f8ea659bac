/** @needs chromium */
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';

const opened = useConsole();
beforeAll(async () => {
  const link = { name: 'At the partner', desktop_url: 'https://partner.example.org/shop.example.com' };
  await opened.api('post', '/links').send(link).expect(201);
});

test('one click finds the links that lead to a host, and one more those of a tag', async () => {
  const { page, log } = await opened.signedIn(opened.inProject('/links'));
  await page.getByRole('button', { name: 'Links that lead to shop.example.com' }).first().click();
  await page.getByText('14 links', { exact: true }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('//shop.example.com');
  await page.getByRole('button', { name: 'Links with the tag print' }).first().click();
  await page.getByText('2 links', { exact: true }).waitFor();
  expect(log.problems).toEqual([]);
});

test('the menu of a row opens, duplicates, archives and deletes the link', async () => {
  const { page, log } = await opened.signedIn(opened.inProject('/links'));
  const menuOf = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menu').waitFor();
  };
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  await menuOf('Careers');
  expect(await item('Open').getAttribute('href')).toMatch(/\/careers$/);
  expect(await axeFaults({ page })).toEqual([]);
  await item('Duplicate').click();
  await page.getByRole('heading', { name: 'New link' }).waitFor();
  await page.goBack();
  await menuOf('Careers');
  await item('QR code').click();
  await page.getByRole('img', { name: 'QR code of' }).waitFor();
  await page.goBack();
  await menuOf('Careers');
  await item('Archive').click();
  await page.getByRole('link', { name: 'Careers' }).waitFor({ state: 'detached' });
  await menuOf('Size guide');
  await item('Delete').click();
  const question = page.getByRole('dialog', { name: 'Delete Size guide?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Size guide' }).waitFor({ state: 'detached' });
  const kept = await opened.list<{ name: string; archived: boolean }>('/links?archived=true');
  expect(kept.map(({ name }) => name)).toEqual(['Careers']);
  expect(log.problems).toEqual([]);
});

test('a view keeps filters and order by name, also after a reload', async () => {
  const { page, log } = await opened.signedIn(opened.inProject('/links?tag=print&sortBy=clicks&sortOrder=desc'));
  await page.getByText('2 links', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of this view').fill('Printed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Printed', exact: true }).waitFor();
  expect(await axeFaults({ page })).toEqual([]);
  await page.goto(`${opened.on.url}/console${opened.inProject('/links')}`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Printed', exact: true }).click();
  await page.waitForURL(/tag=print/);
  expect(page.url()).toContain('sortBy=clicks');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Remove the view Printed' }).click();
  await page.getByText('No view yet').waitFor();
  expect(log.problems).toEqual([]);
});
