import type { Page } from 'playwright-core';

/** A file with a row of each outcome: two links, a path that is in use, and an invalid path. */
export const csv = [
  'Slug;Ziel;Kampagne;Farbe',
  'imported-spring;https://shop.example.com/spring;mail;green',
  'winter-sale;https://shop.example.com/other;;',
  'bad path;https://shop.example.com/x;;',
  '"imported-quoted";"https://shop.example.com/?q=a;b";;',
  '',
].join('\n');

export const choose = (page: Page, content: string | Buffer, name = 'links.csv'): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

export const select = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** The button of an outcome, with its number. */
export const outcome = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true });
