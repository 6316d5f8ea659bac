/** @needs chromium */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../browser/open-browser';
import { freePort } from '../support/process';
import { aService, type TestService } from '../support/service';
import { aTab } from './open-console';

jest.setTimeout(120_000);

const audience = 'https://api.example.com';

let on: TestService;
let browser: Browser;
let provider: ChildProcess;
beforeAll(async () => {
  const [providerPort, port] = [String(await freePort()), String(await freePort())];
  const issuer = `http://127.0.0.1:${providerPort}`;
  // The provider knows the console's address, and the service reads the provider's keys when it starts.
  const script = join(__dirname, 'openid-provider.mjs');
  provider = spawn(process.execPath, [script, providerPort, `http://127.0.0.1:${port}`, audience], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(provider.stdout!, 'data');
  on = await aService({
    PORT: port,
    DASHBOARD_ISSUER: issuer,
    DASHBOARD_JWKS_URL: `${issuer}/jwks`,
    DASHBOARD_AUDIENCE: audience,
    CONSOLE_CLIENT_ID: 'console',
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  provider?.kill();
  await on?.stop();
});

test('a person signs in at the provider, manages keys, stays signed in after a reload, and signs out', async () => {
  const { accountId } = await on.anAccount();
  const { page, context, log } = await aTab(on, browser);
  await page.goto(`${on.url}/console/api-keys`);
  await page.getByRole('button', { name: 'Sign in with your organization' }).click();
  await page.locator('input[name=login]').fill(accountId);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();

  // The provider returns to the page that asked for the sign-in.
  await page.waitForURL(`${on.url}/console/api-keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('CI');
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const key = await page.getByText(/^svc_live_\w{46}$/).innerText();
  await on.api('get', '/account', key).expect(200);
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(stored).not.toMatch(/eyJ|svc_live_/);

  await page.reload();
  await page.getByText('CI', { exact: true }).waitFor();
  expect(await page.getByText(key).count()).toBe(0);
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Colours, language and sign-out' }).click();
  await page.getByText(accountId, { exact: true }).waitFor();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.locator('button[value=yes], button[name=logout]').first().click();
  await page.getByRole('button', { name: 'Sign in with your organization' }).waitFor();
  // The provider's pages load a font, which they do not find here.
  expect(log.problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
  await context.close();
});
