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

test('the search of projects stays while it fails', async () => {
  const { page, context } = await opened.signedIn('/');
  const field = page.getByLabel('Search projects');
  const body = JSON.stringify({ error: { code: 'INVALID_INPUT', message: 'This cannot be searched.' } });
  await page.route('**/api/v1/projects?*search=wrong*', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body }),
  );
  await field.pressSequentially('wrong');
  await page.getByText('The service does not accept the request.').waitFor();
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Project 001');
  await page.getByText('1 project', { exact: true }).waitFor();
  await field.clear();
  await page.getByText('121 projects', { exact: true }).waitFor();
  await field.and(page.locator(':focus')).waitFor();
  await context.close();
});
