/** @needs chromium */
import type { Locator, Page } from 'playwright-core';
import { aClick, anOpenedLink, clicksOn } from '../clicks/recording/counting';
import { aDynamicLink } from '../support/builders';
import { type Tab, useConsole } from './open-console';

// The tasks of people who look after links, with the clicks that each may take from the overview. Typing and Tab are no clicks.

const posters = { station: 30, airport: 20, hall: 5 };
const screens = [
  [1280, 'light'],
  [390, 'dark'],
] as const;

const opened = useConsole();
beforeAll(async () => {
  const { on, account, project } = opened;
  const clicks = clicksOn(on.database);
  for (const [name, count] of Object.entries(posters)) {
    const fields = { name: `Poster: ${name}`, referrer_params: { utm_content: name } };
    const link = anOpenedLink({ id: (await aDynamicLink(on, account.key, project.id, fields)).id });
    const click = (at: number) => aClick({ projectId: project.id, at, link, country: 'AT', qr: true });
    await clicks.write(Array.from({ length: count }, (_, hours) => click(Date.now() - hours * 3_600_000)));
  }
  await clicks.close();
  for (const [width] of screens) {
    const operations = Array.from({ length: 50 }, (_, at) => ({
      op: 'create',
      link: { name: `Old ${at}`, desktop_url: `https://old-${width}.example.com/${at}` },
    }));
    await opened.api('post', '/links/bulk').send({ operations, atomic: true }).expect(200);
  }
});

describe.each(screens)('at %d pixels, in %s colours', (width, colorScheme) => {
  let tab: Tab;
  let page: Page;
  let clicks = 0;
  beforeEach(async () => {
    const options = { viewport: { width, height: 844 }, colorScheme, timezoneId: 'Europe/Vienna' };
    tab = await opened.signedIn(opened.inProject(''), options);
    page = tab.page;
    clicks = 0;
  });
  afterEach(async () => {
    expect(tab.log.problems).toEqual([]);
  });

  const click = async (target: Locator): Promise<void> => {
    await target.click();
    clicks++;
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
  const openPage = async (name: string): Promise<void> => {
    if (width < 992) await click(button('Menu'));
    await click(page.getByRole('link', { name, exact: true }));
  };
  /** Opens the links that lead to a host, by the palette. */
  const linksTo = async (host: string): Promise<void> => {
    await click(page.locator('.palette-button'));
    await page.getByPlaceholder('Search links, projects and pages').waitFor();
    await page.keyboard.type(host);
    await page.locator('[data-action][data-selected]', { hasText: `All links that lead to ${host}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  };

  test('a campaign link with UTM values, and its QR code for print: 6', async () => {
    await openPage('Links');
    await click(page.getByRole('link', { name: 'Campaign' }));
    await page.getByLabel('Name of the campaign').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(`Spring ${width}`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('shop.example.com/spring?utm_source=poster&utm_medium=print');
    await click(page.getByLabel('Channel or poster of link 1'));
    await page.keyboard.type('Airport');
    await click(button('Create 1 link'));
    const download = page.waitForEvent('download');
    await click(button('QR codes (ZIP)'));
    expect((await download).suggestedFilename()).toBe(`Spring ${width}.zip`);
    await page.getByText('utm_source=poster').waitFor();
    expect(clicks).toBeLessThanOrEqual(6);
  });

  test('which of three posters works: 2', async () => {
    await click(page.getByRole('tab', { name: 'Campaign', exact: true }));
    await click(page.getByText('Content', { exact: true }));
    const rows = page.getByRole('tabpanel').filter({ hasText: 'station' });
    await rows.getByText('hall').waitFor();
    expect(await rows.innerText()).toMatch(/station\D+30\D[^]*airport\D+20\D[^]*hall\D+5\b[^]*No value/);
    expect(clicks).toBeLessThanOrEqual(2);
  });

  test('another destination for 50 links: 6', async () => {
    await linksTo(`old-${width}.example.com`);
    await click(page.getByRole('checkbox', { name: 'Select all links of this page' }));
    await click(button('Select all 50 links that match'));
    await click(button('Edit a field'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New value').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(`https://new-${width}.example.com/`);
    await click(dialog.getByRole('button', { name: 'Change 50 links' }));
    await dialog.waitFor({ state: 'detached' });
    expect(await opened.list(`/links?search=//new-${width}.example.com&limit=100`)).toHaveLength(50);
    expect(clicks).toBeLessThanOrEqual(6);
  });

  test('why a universal link does not open: 2', async () => {
    await openPage('Health');
    await page.getByText('phones fetch the files over https only').first().waitFor();
    expect(clicks).toBeLessThanOrEqual(2);
  });
});
