/** @needs chromium */
import { aConsole, type Console } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
  await opened.on.database.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain)
     SELECT gen_random_uuid(), account_id, user_id, 'Project ' || lpad(number::text, 3, '0'), 'project-' || number
     FROM projects, generate_series(1, 120) AS number WHERE id = $1`,
    [opened.project.id],
  );
});
afterAll(() => opened?.stop());

test('the pages of projects have all of them, and their address', async () => {
  const { page, context } = await opened.signedIn('/');
  await page.getByText('121 projects', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await page.waitForURL(/page=2/);
  await page.getByRole('link', { name: 'Project 120' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Project 120' }).waitFor();
  await page.getByLabel('Search projects').fill('Project 00');
  await page.getByText('9 projects', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?search=Project+00');
  await context.close();
});
