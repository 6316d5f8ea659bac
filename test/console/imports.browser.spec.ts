/** @needs chromium */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { ImportApiClient } from '../../src/imports/apis/import-api-client';
import { OtherSystems, shlink, token } from '../imports/apis/other-systems';
import { samples } from '../imports/apis/samples';
import { startImports } from '../support/imports';
import { words } from '../support/words';
import { axeFaults } from './axe-faults';
import { choose, outcome, select } from './import-page';
import { useConsole } from './open-console';
import { fixture, dnsFixture } from '../support/fixtures';

const systems = fixture(() => OtherSystems.start());
const dns = dnsFixture();
const settings = () => ({ DNS_RESOLVERS: dns.address, IMPORT_PRIVATE_ADDRESSES: 'true' });
beforeAll(() => dns.setResponse('shlink.example.com', { addresses: ['127.0.0.1'] }));
const opened = useConsole(settings);
beforeAll(async () => {
  const worker = await startImports(opened.on, settings());
  const { port, caCertificates } = systems;
  Object.assign(worker.context.get(ImportApiClient, { strict: false }), { server: { port, caCertificates } });
});

test('faults of a file stand at its field before it is sent, and those of the service after it', async () => {
  const { page, takeRequests } = await opened.signedIn(opened.inProject('/imports/new'));
  takeRequests();
  await choose(page, Buffer.from([0x50, 0x4b, 3, 4]), 'links.xlsx');
  await page.getByText('The file is a spreadsheet or an archive.').waitFor();
  await page.getByRole('button', { name: 'Upload and check' }).click();
  // The focus moves after an upload would have begun.
  await page.locator('[aria-invalid=true]:focus').waitFor();
  expect(takeRequests().filter((request) => request.startsWith('POST'))).toEqual([]);
  await choose(page, 'Short link,Link,Link\nhttps://x.page.link/a,https://a.example/,\n');
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByText('The header has the column Link more than once').waitFor();
  expect(await opened.list('/imports?limit=1')).not.toMatchObject([{ source: 'firebase-dynamic-links' }]);
});

test('apps of Firebase that the project lacks are named, and an upload can be cancelled', async () => {
  const { page } = await opened.signedIn(opened.inProject('/imports/new'), { locale: 'de-DE' });
  await choose(page, 'Short link,Link,ibi\nhttps://x.page.link/app,https://shop.example.com/,com.example.lost\n');
  let isHeld = true;
  await page.route('**/imports?*', async (route) => (isHeld ? undefined : route.continue()));
  await page.getByRole('button', { name: 'Hochladen und prüfen' }).click();
  await page.getByRole('button', { name: 'Hochladen abbrechen' }).click();
  isHeld = false;
  await page.getByRole('button', { name: 'Hochladen und prüfen' }).click();
  await page.getByText('Apps, die das Projekt nicht hat').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'com.example.lost (iOS, 1 Zeile)' }).first().waitFor();
});

/** Returns the contents of all places where a page can keep what its user types. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    const cached = [];
    for (const name of await caches.keys()) cached.push(...(await (await caches.open(name)).keys()).map(({ url }) => url));
    const databases = await indexedDB.databases();
    const stored = [{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie, cached, databases];
    return location.href + JSON.stringify(stored) + document.documentElement.outerHTML;
  })()`);

test('a list is read by an API, after a refused token, and the token is kept nowhere', async () => {
  const tab = await opened.signedIn(opened.inProject('/imports/new'));
  const { page, log, takeRequests } = tab;
  const submit = page.getByRole('button', { name: 'Read the list and check' });
  const tokenField = page.getByLabel('API key of Shlink');
  await page.getByRole('radio', { name: 'By an API' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('combobox', { name: 'Where do the links come from?' }).click();
  const names = words('Bitly Dub Short.io Rebrandly Shlink Kutt YOURLS');
  expect(await page.getByRole('option').allTextContents()).toEqual(names);
  await page.getByRole('option', { name: 'Bitly' }).click();
  await page.getByLabel('Access token of Bitly').fill('token-of-another-system');
  await select(page, 'Where do the links come from?', 'Shlink');
  takeRequests();
  await submit.click();
  await page.getByText('Fill in this field.').first().waitFor();
  const address = page.getByLabel('Address of Shlink');
  await page.locator('input:focus').and(address).waitFor();
  expect([await tokenField.getAttribute('type'), await tokenField.getAttribute('autocomplete')]).toEqual([
    'password',
    'off',
  ]);
  expect(await tokenField.inputValue()).toBe('');
  expect(await axeFaults(tab)).toEqual([]);
  await address.fill('https://shlink.example.com');
  await tokenField.fill('a-refused-token');
  expect(takeRequests()).toEqual([]);

  const held = new Promise<ServerResponse>((resolve) => systems.set('shlink.example.com', () => resolve));
  await submit.click();
  await page.getByText('Signpost reads the list of Shlink.').waitFor();
  await page.getByText('0 links so far').waitFor();
  expect(await axeFaults(tab)).toEqual([]);
  (await held).writeHead(401).end();
  await page.getByText('Shlink refuses the token, or the token may not read links.').waitFor();
  await page.getByText('Check the token and its rights, and try again.').waitFor();
  expect(await outcome(page, 'To be created 0').count()).toBe(0);
  expect(await axeFaults(tab)).toEqual([]);

  systems.set('shlink.example.com', shlink(samples['shlink']!));
  await page.getByRole('link', { name: 'Try again' }).click();
  await address.fill('https://shlink.example.com');
  await tokenField.fill(token);
  await tokenField.press('Enter');
  await outcome(page, 'To be created 1').waitFor();
  expect(await kept(page)).not.toContain(token);
  expect(log.requests.join()).not.toContain(token);
  expect(opened.on.logLines.join()).not.toContain(token);
  await page.getByRole('button', { name: 'Run the import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run the import' }).click();
  await page.getByText('The run did exactly what the dry run predicted.').waitFor();
  expect(await opened.list('/links?search=summer')).toMatchObject([{ imported_from: 'shlink' }]);
  expect(log.problems).toEqual([]);
});

test('a file that exceeds the quota is refused with the bytes, and a failed import names its reason', async () => {
  const { page } = await opened.signedIn(opened.inProject('/imports/new'), { locale: 'de-DE' });
  const details = { limit: 100_000_000, used: 99_500_000, current_plan: 'free', required_plan: 'pro' };
  const error = { code: 'ACCESS_DENIED', message: 'The quota is reached', details };
  await page.route('**/imports?*', (route) => route.fulfill({ status: 403, json: { error } }), { times: 1 });
  const rows = '{"name":"A","custom_path":"bad path"},'.repeat(10_000);
  await choose(page, `[${rows}`, 'broken.json');
  const upload = page.getByRole('button', { name: 'Hochladen und prüfen' });
  await upload.click();
  await page.getByText('dürfen 100 MB speichern, davon sind 99,5 MB belegt').waitFor();
  await upload.click();
  await page.getByText('Die Datei ist hinter ihrem Anfang beschädigt. Kein Link wurde angelegt.').waitFor();
  await page.getByText('Reparieren Sie die Datei').waitFor();
  await page.getByText('Abgelehnt', { exact: true }).waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
});
