/** @needs chromium */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { pictureOfPng, readQrCode } from '../support/qr-reader';
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';

const opened = useConsole();

interface Link {
  name: string;
  desktop_url: string;
  custom_path: string;
  tags: string[];
  referrer_params: Record<string, string>;
}

const paste = (page: Page, text: string) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);

test('a campaign for print is made of a pasted table, and its QR codes are downloaded', async () => {
  const { page, log } = await opened.signedIn(opened.inProject('/campaign'));
  await page.getByLabel('Name of the campaign').click();
  await page.keyboard.type('Spring posters');
  await page.keyboard.press('Tab');
  await page.keyboard.type('shop.example.com/spring?utm_source=poster&utm_medium=print');
  await page.keyboard.press('Tab');
  expect(await page.getByLabel('Web page').inputValue()).toBe('https://shop.example.com/spring');
  await page.getByLabel('Channel or poster of link 1').click();
  await paste(page, 'Main station\t\t\t\tspring-station\nAirport\nTown hall');
  expect(await axeFaults({ page })).toEqual([]);
  await page.getByRole('button', { name: 'Create 3 links' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'QR codes (ZIP)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Spring posters.zip');
  expect(readFileSync(await download.path(), 'latin1')).toMatch(/^PK/);
  const links = await opened.list<Link>('/links?tag=Spring+posters&sortBy=name&sortOrder=asc');
  expect(links.map(({ name }) => name)).toEqual([
    'Spring posters: Airport',
    'Spring posters: Main station',
    'Spring posters: Town hall',
  ]);
  expect(links[1]).toMatchObject({
    custom_path: 'spring-station',
    desktop_url: 'https://shop.example.com/spring',
    referrer_params: {
      utm_source: 'poster',
      utm_medium: 'print',
      utm_campaign: 'spring-posters',
      utm_content: 'main-station',
    },
  });
  expect(log.problems).toEqual([]);
});

test('a refused link of a campaign is marked, and none is created', async () => {
  const { page } = await opened.signedIn(opened.inProject('/campaign'));
  await page.getByLabel('Name of the campaign').fill('Taken');
  await page.getByLabel('Web page').fill('https://shop.example.com/');
  await page.getByLabel('Channel or poster of link 1').fill('Free');
  await page.getByLabel('Channel or poster of link 2').fill('Not free');
  await page.getByLabel('Path of link 2').fill('winter-sale');
  await page.getByRole('button', { name: 'Create 2 links' }).click();
  await page.getByText('another link of the project has this path').waitFor();
  expect(await page.getByLabel('Channel or poster of link 2').getAttribute('aria-invalid')).toBe('true');
  expect(await opened.list('/links?search=Taken')).toEqual([]);
});

test('a part of the destination of 50 links changes after a preview', async () => {
  const operations = Array.from({ length: 50 }, (_, at) => ({
    op: 'create',
    link: { name: `Moved ${at}`, desktop_url: `https://old.example.com/${at}` },
  }));
  await opened.api('post', '/links/bulk').send({ operations, atomic: true }).expect(200);
  const { page, log } = await opened.signedIn(opened.inProject('/links?search=Moved'));
  await page.getByText('50 links', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all links of this page' }).click();
  await page.getByRole('button', { name: 'Select all 50 links that match' }).click();
  await page.getByRole('button', { name: 'Edit a field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit a field of 50 links' });
  await dialog.getByText('Part of it').click();
  await dialog.getByLabel('This part').fill('old.example.com');
  await dialog.getByLabel('Becomes').fill('new.example.com');
  await dialog.getByText('50 of 50 links change').waitFor();
  await dialog.getByRole('cell', { name: 'https://new.example.com/49', exact: true }).waitFor();
  expect(await axeFaults({ page })).toEqual([]);
  await dialog.getByRole('button', { name: 'Change 50 links' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('50 links changed').waitFor();
  const links = await opened.list<Link>('/links?search=Moved&limit=100');
  expect(links.filter(({ desktop_url: url }) => url.startsWith('https://new.example.com/'))).toHaveLength(50);
  expect(log.problems).toEqual([]);
});

test('a designed code is downloaded as PNG, SVG and PDF', async () => {
  const [link] = await opened.list<{ id: string }>('/links?search=winter-sale');
  const { page, log } = await opened.signedIn(opened.inProject(`/links/${link!.id}?tab=qr`));
  await page.getByLabel('Call to action').fill('Scan me');
  await page.getByText('Rounded').click();
  const bytes = await page.screenshot({ clip: { x: 0, y: 0, width: 40, height: 40 } });
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: bytes });
  await page.getByText('A logo needs the highest one.').waitFor();
  expect(await axeFaults({ page })).toEqual([]);
  const files = new Map<string, Buffer>();
  for (const format of ['PNG', 'SVG', 'PDF']) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Download ${format}` }).click(),
    ]);
    files.set(download.suggestedFilename(), readFileSync(await download.path()));
  }
  expect([...files.keys()]).toEqual(['qr-winter-sale.png', 'qr-winter-sale.svg', 'qr-winter-sale.pdf']);
  expect(readQrCode(pictureOfPng(files.get('qr-winter-sale.png')!))).toMatch(/\/winter-sale\?_via=qr$/);
  expect(files.get('qr-winter-sale.svg')!.toString()).toContain('Scan me');
  expect(files.get('qr-winter-sale.pdf')!.subarray(0, 5).toString()).toBe('%PDF-');
  await page.getByLabel('Colour', { exact: true }).fill('#dddddd');
  await page.getByText('The two colours are too similar.').waitFor();
  expect(log.problems).toEqual([]);
});
