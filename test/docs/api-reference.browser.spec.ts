/** @needs chromium */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { errorExamples } from '../../src/api-kit/openapi/error-examples';
import { openBrowser } from '../browser/open-browser';

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signpost-api-reference-'));
  execFileSync(process.execPath, [join(__dirname, '../../scripts/api-reference.mjs'), folder], { stdio: 'ignore' });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

test('the page opens from disk without a network, and leads from an operation to the page of its error', async () => {
  const page = await browser.newPage();
  const sent: string[] = [];
  const problems: string[] = [];
  page.on('requestfinished', (request) => sent.push(request.url()));
  // The policy stops requests before they are sent. Any other failure means that the page tried.
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'csp') sent.push(request.url());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  const address = pathToFileURL(join(folder, 'index.html')).href;
  await page.goto(`${address}#operation/createShortLink`);
  await page.getByRole('heading', { name: 'Create a short link' }).waitFor();
  await page.locator('text="409" >> visible=true').first().click();
  await page.locator('a[href="#section/Errors/SLUG_EXISTS"] >> visible=true').last().click();
  const { error } = errorExamples.SLUG_EXISTS.value as { error: { message: string } };
  await page.getByText(error.message).first().waitFor();
  expect(sent.filter((url) => !/^(?:file|data|blob):/.test(url))).toEqual([]);
  expect(problems).toEqual([]);
});
