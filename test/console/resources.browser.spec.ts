/** @needs chromium */
import type { Page } from 'playwright-core';
import { DnsServer } from '../support/dns-server';
import { axeFaults } from './axe-faults';
import { aConsole, type Console } from './open-console';

let dns: DnsServer;
let opened: Console;
beforeAll(async () => {
  dns = await DnsServer.start();
  opened = await aConsole({
    DNS_RESOLVERS: dns.address,
    LINK_BASE_URL: 'https://go.example.com',
    API_BASE_URL: 'https://api.example.net',
    LINK_TARGET_HOST: 'edge.example.net',
  });
});
afterAll(async () => {
  await opened?.stop();
  await dns?.stop();
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
describe('apps', () => {
  test('the rule that phones apply stands at the field that breaks it, in the language of the reader', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/apps'), { locale: 'de-DE' });
    await page.getByRole('button', { name: 'App hinzufügen' }).click();
    await page.getByRole('menuitem', { name: 'Android-App' }).click();
    const drawer = dialog(page, 'Neue Android-App');
    await drawer.getByLabel('Name', { exact: false }).first().fill('Obst');
    await drawer.getByRole('textbox', { name: 'Paketname', exact: true }).fill('com.example.obst');
    await drawer.getByLabel('SHA-256-Fingerabdrücke').fill(Array.from({ length: 32 }, () => 'AB').join(':'));
    await drawer.getByRole('button', { name: 'App hinzufügen' }).click();
    await drawer.waitFor({ state: 'detached' });
    const [app] = await opened.list<{ id: string; name: string }>('/android-apps?search=obst');
    await opened
      .api('post', '/links')
      .send({ name: 'Apfel', custom_path: 'apfel', android_app_id: app!.id })
      .expect(201);
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
    expect(await axeFaults({ page, context })).toEqual([]);

    // An app that links use cannot be deleted, and the reason names them.
    await editor.getByRole('button', { name: 'Löschen' }).click();
    await dialog(page, 'Obst löschen?').getByRole('button', { name: 'Löschen' }).click();
    await dialog(page, 'Obst löschen?').getByText('Apfel').waitFor();
    await dialog(page, 'Obst löschen?').getByRole('button', { name: 'Abbrechen' }).click();
    const [link] = await opened.list<{ id: string }>('/links?search=apfel');
    await opened.api('delete', `/links/${link!.id}`).expect(200);
    await editor.getByRole('button', { name: 'Löschen' }).click();
    await dialog(page, 'Obst löschen?').getByRole('button', { name: 'Löschen' }).click();
    await editor.waitFor({ state: 'detached' });
    expect(await opened.list('/android-apps?search=obst')).toEqual([]);
    await context.close();
  });
});

describe('domains', () => {
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
    expect(await axeFaults({ page, context })).toEqual([]);
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
    await context.close();
  });
});

describe('project settings', () => {
  test('renaming keeps the former subdomain, a taken name is refused at its field, and the former name is released', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/settings'));
    await opened.on.api('post', '/projects', opened.account.key).send({ name: 'T', subdomain: 'taken' }).expect(201);
    await page.getByLabel('Subdomain').fill('taken');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Please correct the marked fields').waitFor();
    expect(await page.getByLabel('Subdomain').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Subdomain').fill('orchard');
    await page.getByText('Links move to the new subdomain. demo keeps working.').waitFor();

    // A colleague changes the name meanwhile.
    await opened.api('put', '').send({ name: 'Theirs' }).expect(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed this').waitFor();
    await page.getByText('Changes of others in other fields stay: Name').waitFor();
    await page.getByRole('button', { name: 'Load the current state' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Theirs');
    await page.getByLabel('Subdomain').fill('orchard');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const [link] = await opened.list<{ full_url: string }>('/links?search=winter-sale');
    expect(link!.full_url).toBe('https://orchard.go.example.com/winter-sale');

    await page.getByRole('link', { name: 'Domains' }).click();
    await page.getByRole('row', { name: 'demo' }).getByRole('button', { name: 'Release' }).click();
    const question = dialog(page, 'Release demo?');
    expect(await question.getByRole('button', { name: 'Release' }).isDisabled()).toBe(true);
    await question.getByLabel('To confirm, type demo').fill('demo');
    expect(await axeFaults({ page, context })).toEqual([]);
    await question.getByRole('button', { name: 'Release' }).click();
    await page.getByText('The project has always had the same subdomain.').waitFor();
    expect(await opened.list('/former-subdomains')).toEqual([]);
    await context.close();
  });

  test('a project is deleted only after its subdomain is typed', async () => {
    const created = await opened.on
      .api('post', '/projects', opened.account.key)
      .send({ name: 'Short-lived', subdomain: 'short-lived' })
      .expect(201);
    const { id } = (created.body as { data: { id: string } }).data;
    const { page, context } = await opened.signedIn(`/projects/${id}/settings`);
    await page.getByRole('button', { name: 'Delete the project' }).click();
    const question = dialog(page, 'Delete Short-lived?');
    await question.getByLabel('To confirm, type short-lived').fill('short-live');
    expect(await question.getByRole('button', { name: 'Delete the project' }).isDisabled()).toBe(true);
    await question.getByLabel('To confirm, type short-lived').fill('short-lived');
    await question.getByRole('button', { name: 'Delete the project' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await opened.on.api('get', `/projects/${id}`, opened.account.key).expect(404);
    expect(await page.getByText('Short-lived').count()).toBe(0);
    await context.close();
  });
});

describe('short links', () => {
  test('one is created, copied and deleted, and a taken slug is refused at its field', async () => {
    const [link] = await opened.list<{ id: string }>('/links?search=winter-sale');
    const { page, context, log } = await opened.signedIn(opened.inProject(`/links/${link!.id}?tab=short-links`));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Slug').fill('kiosk');
    await page.getByRole('button', { name: 'Create a short link' }).click();
    await page.getByRole('button', { name: /^Copy: .*\/kiosk$/ }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^https:\/\/.*go\.example\.com\/kiosk$/);
    expect(log.problems).toEqual([]);

    await page.getByLabel('Slug').fill('kiosk');
    await page.getByRole('button', { name: 'Create a short link' }).click();
    await page.getByText('Please correct the marked fields').waitFor();
    expect(await page.getByLabel('Slug').getAttribute('aria-invalid')).toBe('true');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the QR code of kiosk' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('qr-kiosk.png');

    await page.getByRole('button', { name: 'Delete kiosk' }).click();
    await dialog(page, 'Delete the short link kiosk?').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: /^Copy: .*\/kiosk$/ }).waitFor({ state: 'detached' });
    const short = await opened.list<{ slug: string }>(`/short-links?dynamic_link_id=${link!.id}`);
    expect(short.map(({ slug }) => slug)).not.toContain('kiosk');
    await context.close();
  });
});
