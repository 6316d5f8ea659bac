/** @needs chromium */
import { aConsole, type Console } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

test('the list goes to its last page after the links of that page were deleted', async () => {
  const operations = Array.from({ length: 26 }, (_, at) => ({ op: 'create', link: { name: `Ticket ${at + 10}` } }));
  await opened.api('post', '/links/bulk').send({ operations, atomic: true }).expect(200);
  const list = '/links?search=Ticket&sortBy=name&sortOrder=asc';
  const { page, context } = await opened.signedIn(opened.inProject(`${list}&page=2`));
  await page.getByRole('checkbox', { name: 'Select Ticket 35' }).check();
  await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Ticket 34' }).waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe('1');
  await context.close();
});

test('a deleted link is gone after a step back', async () => {
  const { body } = await opened.api('post', '/links').send({ name: 'Soon deleted' }).expect(201);
  const { id } = (body as { data: { id: string } }).data;
  const { page, context } = await opened.signedIn(opened.inProject(`/links/${id}`));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  await page.goBack();
  await page.getByText('It does not exist, or it was deleted.').first().waitFor();
  expect(await page.getByRole('heading', { name: 'Soon deleted' }).count()).toBe(0);
  await page.getByRole('heading', { name: 'This link does not exist' }).waitFor();
  await page.getByRole('link', { name: 'To the links' }).waitFor();
  expect(await page.title()).toBe('This link does not exist – Signpost');
  await context.close();
});
