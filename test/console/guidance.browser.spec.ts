/** @needs chromium */
import { devices } from '../browser/devices';
import { aProject } from '../support/builders';
import { pictureOfPng, readQrCode } from '../support/qr-reader';
import { sendRequest } from '../support/raw-http';
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';

const opened = useConsole();
let projectId: string;
beforeAll(async () => {
  ({ id: projectId } = await aProject(opened.on, opened.account.key, { name: 'Fresh' }));
});

test('an empty project shows the first steps, and a QR code for the phone once it has a link', async () => {
  const { page, log } = await opened.signedIn(`/projects/${projectId}`);
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(5);
  expect(await steps.getByText('Done').count()).toBe(0);
  expect(await axeFaults({ page })).toEqual([]);
  await steps.getByRole('link', { name: 'New link' }).click();
  await page.getByLabel('Name', { exact: false }).first().fill('First');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: 'First' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await steps.getByRole('img', { name: 'QR code of' }).waitFor();
  expect(await steps.getByText('Done').count()).toBe(1);
  expect(log.problems).toEqual([]);
});

test('a link is tested on a phone by a QR code, and the dialog says when the app has opened it', async () => {
  const { on } = opened;
  const { page, log } = await opened.signedIn(opened.inProject('/links?search=winter-sale'));
  await page.getByRole('link', { name: 'Winter sale' }).first().click();
  await page.getByRole('button', { name: 'Test on my phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test on my phone' });
  await dialog.getByText('No app has reported an open').waitFor();
  const code = await dialog.getByRole('img', { name: 'QR code that tests' }).screenshot();
  const address = readQrCode(pictureOfPng(code))!;
  expect(address).toMatch(/\/winter-sale\?_via=test$/);
  expect(await axeFaults({ page })).toEqual([]);

  const phone = await opened.browser.newContext({ ...devices['iPhone 15'], locale: 'de-DE' });
  const visit = await phone.newPage();
  const { host } = new URL(address);
  await visit.goto(address.replace(host, `demo.localhost:${new URL(on.url).port}`));
  await visit.getByRole('heading', { name: 'Die App hat sich nicht geöffnet' }).waitFor();
  expect(await visit.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

  const app = { bundle_id: 'com.example.alpine', version: '1.0' };
  const open = { url: address, app, open_id: 'A'.repeat(22) };
  await sendRequest(
    on.url,
    'POST /links/open',
    { Host: host, 'Content-Type': 'application/json' },
    JSON.stringify(open),
  );
  await dialog.getByText('Opened by the app since you opened this window: 1').waitFor();
  expect(log.problems).toEqual([]);
});
