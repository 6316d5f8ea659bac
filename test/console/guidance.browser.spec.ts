/** @needs chromium */
import { axeFaults } from './axe-faults';
import { aConsole, type Console } from './open-console';

let opened: Console;
let projectId: string;
beforeAll(async () => {
  opened = await aConsole();
  const project = { name: 'Fresh', subdomain: 'fresh' };
  const { body } = await opened.on.api('post', '/projects', opened.account.key).send(project).expect(201);
  projectId = (body as { data: { id: string } }).data.id;
});
afterAll(() => opened?.stop());

test('an empty project shows the first steps, and a QR code for the phone once it has a link', async () => {
  const { page, context, log } = await opened.signedIn(`/projects/${projectId}`);
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(5);
  expect(await steps.getByText('Done').count()).toBe(0);
  expect(await axeFaults({ page, context })).toEqual([]);
  await steps.getByRole('link', { name: 'New link' }).click();
  await page.getByLabel('Name', { exact: false }).first().fill('First');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: 'First' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await steps.getByRole('img', { name: 'QR code of' }).waitFor();
  expect(await steps.getByText('Done').count()).toBe(1);
  expect(log.problems).toEqual([]);
  await context.close();
});
