/** @needs chromium */
import { readFileSync } from 'node:fs';
import { startImports } from '../support/imports';
import { axeFaults } from './axe-faults';
import { choose, csv, outcome, select } from './import-page';
import { useConsole } from './open-console';

const opened = useConsole();
beforeAll(() => startImports(opened.on));

test('a CSV is mapped, checked, corrected and run, and its links are in the list', async () => {
  const tab = await opened.signedIn(opened.inProject('/imports'));
  const { page, log } = tab;
  await page.getByText('Move in with your links').waitFor();
  await page.getByRole('link', { name: 'New import' }).click();
  await page.getByRole('heading', { name: 'New import' }).waitFor();
  await select(page, 'Where do the links come from?', 'Any other CSV');
  await choose(page, csv);
  await page.getByText('Read as CSV').waitFor();
  const fieldOf = (column: string) =>
    page.getByRole('combobox', { name: `Field for the column ${column}`, exact: true }).inputValue();
  expect(await fieldOf('Slug')).toBe('Path');
  expect(await fieldOf('Ziel')).toBe('Web page (destination)');
  await select(page, 'Field for the column Kampagne', 'Campaign parameter …');
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByText('Type a name of 1 to 100 characters.').waitFor();
  await page.getByLabel('Name of the parameter for Kampagne').fill('utm_campaign');
  expect(await axeFaults(tab)).toEqual([]);
  await page.getByRole('button', { name: 'Upload and check' }).click();

  await page.getByText('No link has changed yet.').waitFor();
  await outcome(page, 'To be created 2').waitFor();
  await outcome(page, 'In conflict 1').waitFor();
  await page.getByRole('cell', { name: 'Farbe', exact: true }).waitFor();
  await outcome(page, 'Refused 1').click();
  await page.waitForURL(/outcome=refused/);
  await page.getByRole('cell', { name: /^Slug: bad path/ }).waitFor();
  await page.getByRole('cell', { name: /^Slug: winter-sale/ }).waitFor({ state: 'hidden' });
  expect(await axeFaults(tab)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('import-csv-refused.csv');
  const report = readFileSync(await download.path(), 'utf8');
  expect(report.trim().split('\n')).toHaveLength(2);
  expect(report).toContain('bad path');

  await page.getByRole('button', { name: 'Run the import' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It creates 2 links. 2 rows are left out, because they are refused or in conflict.').waitFor();
  await dialog.getByRole('button', { name: 'Run the import' }).click();
  await page.getByText('The run did exactly what the dry run predicted.').waitFor();
  await outcome(page, 'Created 2').waitFor();
  await page.getByRole('link', { name: 'Show the links' }).click();
  await page.getByRole('link', { name: 'imported-quoted' }).waitFor();
  expect(await opened.list('/links?search=imported-spring')).toMatchObject([
    { desktop_url: 'https://shop.example.com/spring', referrer_params: { utm_campaign: 'mail' } },
  ]);

  // The corrected report is a file of the same source.
  await page.getByRole('link', { name: 'Imports' }).click();
  await page.getByRole('cell', { name: '2 created, 1 in conflict, 1 refused' }).waitFor();
  await page.getByRole('link', { name: 'New import' }).click();
  await select(page, 'Where do the links come from?', 'Any other CSV');
  await choose(page, report.replace('bad path', 'good-path'));
  expect(await fieldOf('Slug')).toBe('Path');
  expect(await page.getByText('signpost_row').count()).toBe(0);
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await outcome(page, 'To be created 1').waitFor();
  await page.getByRole('button', { name: 'Cancel the import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click();
  await page.getByText('The import was cancelled.').waitFor();
  // Its rows are removed, so that numbers are no filters.
  await page.getByText('To be created', { exact: true }).waitFor();
  expect(await outcome(page, 'To be created 1').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Download as CSV' }).count()).toBe(0);
  expect(await axeFaults(tab)).toEqual([]);
  await page.getByRole('button', { name: 'Delete the import' }).click();
  await dialog.getByText('Links that it has created stay.').waitFor();
  await dialog.getByRole('button', { name: 'Delete the import' }).click();
  await page.getByRole('cell', { name: 'Completed' }).waitFor();
  expect(await page.getByRole('cell', { name: 'Cancelled' }).count()).toBe(0);
  await page.goto(`${opened.on.url}/console/account`);
  await page.getByText('Stored by imports').waitFor();
  await page.getByText(/^[1-9][\d.]* kB of 1 GB$/).waitFor();
  expect(log.problems).toEqual([]);
});
