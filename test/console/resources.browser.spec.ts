/** @needs chromium */
import type { Page } from 'playwright-core';
import { DnsServer } from '../support/dns-server';
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';
import { fixture } from '../support/fixtures';

const dns = fixture(() => DnsServer.start());
const opened = useConsole(() => ({
  DNS_RESOLVERS: dns.address,
  LINK_BASE_URL: 'https://go.example.com',
  API_BASE_URL: 'https://api.example.net',
  LINK_TARGET_HOST: 'edge.example.net',
}));

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
test('the rule that phones apply stands at the field that breaks it, in the language of the reader', async () => {
  const { page } = await opened.signedIn(opened.inProject('/apps'), { locale: 'de-DE' });
  await page.getByRole('button', { name: 'App hinzufügen' }).click();
  await page.getByRole('menuitem', { name: 'Android-App' }).click();
  const drawer = dialog(page, 'Neue Android-App');
  await drawer.getByLabel('Name', { exact: false }).first().fill('Obst');
  await drawer.getByRole('textbox', { name: 'Paketname', exact: true }).fill('com.example.obst');
  await drawer.getByLabel('SHA-256-Fingerabdrücke').fill(Array.from({ length: 32 }, () => 'AB').join(':'));
  await drawer.getByRole('button', { name: 'App hinzufügen' }).click();
  await drawer.waitFor({ state: 'detached' });
  const [app] = await opened.list<{ id: string; name: string }>('/android-apps?search=obst');
  const { id } = await opened.create('/links', { name: 'Apfel', custom_path: 'apfel', android_app_id: app!.id });
  await opened
    .api('put', `/android-apps/${app!.id}`)
    .send({ paths: ['/birne/*'] })
    .expect(200);

  await page.reload();
  await page.getByText('Links von „Obst“ außerhalb ihrer Pfade öffnen sie nicht.').waitFor();
  await page.getByText('such as /apfel').waitFor();
  await page.getByRole('button', { name: 'Obst (Android) bearbeiten' }).click();
  const editor = dialog(page, 'Obst');
  expect(await editor.getByLabel('Pfade, die die App öffnen').getAttribute('aria-invalid')).toBe('true');
  expect(await axeFaults({ page })).toEqual([]);

  // An app that links use cannot be deleted, and the reason names them.
  await editor.getByRole('button', { name: 'Löschen' }).click();
  await dialog(page, 'Obst löschen?').getByRole('button', { name: 'Löschen' }).click();
  await dialog(page, 'Obst löschen?').getByText('Apfel').waitFor();
  await dialog(page, 'Obst löschen?').getByRole('button', { name: 'Abbrechen' }).click();
  await opened.api('delete', `/links/${id}`).expect(200);
  await editor.getByRole('button', { name: 'Löschen' }).click();
  await dialog(page, 'Obst löschen?').getByRole('button', { name: 'Löschen' }).click();
  await editor.waitFor({ state: 'detached' });
  expect(await opened.list('/android-apps?search=obst')).toEqual([]);
});

test('a domain is added, its records copied and compared, and one that does not answer is used only after a question', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/domains'));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel('Your domain').fill('not a host');
  await page.getByRole('button', { name: 'Add the domain' }).click();
  await page.getByText('Please correct the marked fields').waitFor();
  expect(await page.getByLabel('Your domain').getAttribute('aria-invalid')).toBe('true');

  await page.clock.install();
  await page.getByLabel('Your domain').fill('links.orchard.example.com');
  await page.getByRole('button', { name: 'Add the domain' }).click();
  await page.getByRole('heading', { name: 'links.orchard.example.com' }).waitFor();
  await page.getByText('Not verified', { exact: true }).waitFor();
  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy: ${name}` }).click();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  const [name, value] = [await copied('Name'), await copied('Value')];
  const [domain] = await opened.list<{ verification_record: object }>('/custom-domains');
  expect(domain!.verification_record).toEqual({ type: 'TXT', name, value });

  expect([await copied('CNAME record: name'), await copied('CNAME record: value')]).toEqual([
    'links.orchard.example.com',
    'edge.example.net',
  ]);
  const address = page.getByRole('row', { name: 'CNAME' });
  await address.getByText('Missing').waitFor();

  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('The record does not exist yet').waitFor();
  dns.publish(name, 'another value');
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('The record has another value').waitFor();
  await page.getByText('another value', { exact: true }).waitFor();
  expect(await axeFaults({ page })).toEqual([]);
  dns.publish(name, value);
  await page.clock.fastForward(21_000);
  await page.getByText('Verified', { exact: true }).waitFor();
  expect(await page.getByText('Not verified yet').count()).toBe(0);

  dns.setResponse('links.orchard.example.com', { cname: 'parking.example.org', addresses: ['93.184.216.34'] });
  await page.getByRole('button', { name: 'Check now' }).click();
  await address.getByText('Different').waitFor();
  await address.getByText('parking.example.org').waitFor();
  dns.setResponse('links.orchard.example.com', { cname: 'edge.example.net', addresses: ['192.0.2.7'] });
  await page.clock.fastForward(21_000);
  await address.getByText('Found').waitFor();

  await page.getByRole('button', { name: 'Use in links' }).click();
  const question = dialog(page, 'Use links.orchard.example.com nevertheless?');
  await question.getByText('has an address outside the public internet').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await opened.list('/custom-domains')).toMatchObject([{ active: false }]);
  await page.getByRole('button', { name: 'Use in links' }).click();
  await question.getByRole('button', { name: 'Use nevertheless' }).click();
  await page.getByText('Used in links', { exact: true }).waitFor();
  const [link] = await opened.list<{ full_url: string }>('/links?search=winter-sale');
  expect(link!.full_url).toBe('https://links.orchard.example.com/winter-sale');
  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog(page, 'Remove links.orchard.example.com?').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No custom domain yet').waitFor();
  expect(await opened.list('/custom-domains')).toEqual([]);
});
