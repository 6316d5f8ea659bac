/**
 * @needs chromium
 * @needs oidc-provider
 */
import type { Page } from 'playwright-core';
import { openBrowser } from '../browser/open-browser';
import { aService, type TestService } from '../support/service';
import { axeFaults } from './axe-faults';
import { loseAnswers } from './lost-answers';
import { aTab, type Tab, useTabs } from './open-console';
import { logIn, signInButton, startProvider } from './openid-provider';
import { fixture } from '../support/fixtures';

/** Of the access tokens of `openid-provider/server.mjs`, in milliseconds. */
const tokenLifetimeMs = 300_000;
/** After this time and half a minute, tokens are renewed, and have not expired. */
const renewalMs = tokenLifetimeMs - 80_000;
useTabs();
const provider = fixture(() => startProvider());
/** Its client renews tokens in a hidden frame. */
const on = fixture(() => aService(provider.settings[0]));
/** Its client has refresh tokens. */
const refreshing = fixture(() => aService(provider.settings[1]));
const browser = fixture(() => openBrowser());

/** Signs a new person in, who asks for a page. */
async function signedInAt(path: string) {
  const { accountId } = await on.anAccount();
  const tab = await aTab(on, browser);
  await tab.page.goto(`${on.url}/console/${path}`);
  await logIn(tab.page, accountId);
  return { ...tab, accountId };
}

interface Person extends Tab {
  accountId: string;
  /** Moves the clock, by half a minute by default. Pages load their data again then; returns the token of that request. */
  nextToken(laterMs?: number): Promise<string>;
}

/** Signs a new person in. The clock of the page can be moved, so that tokens expire at once. */
async function aPerson(service: TestService): Promise<Person> {
  const { accountId } = await service.anAccount();
  const tab = await aTab(service, browser);
  const { page } = tab;
  await page.clock.install();
  await page.goto(`${service.url}/console/`);
  await logIn(page, accountId);
  await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
  const nextToken = async (laterMs = 31_000): Promise<string> => {
    await page.clock.fastForward(laterMs);
    const request = page.waitForRequest(/\/api\/v1\/(?:account|projects)/);
    const isProjects = new URL(page.url()).pathname === '/console/';
    await page.getByRole('link', { name: isProjects ? 'Account' : 'Projects', exact: true }).click();
    const headers = await (await request).allHeaders();
    return headers['authorization']!.replace('Bearer ', '');
  };
  return { ...tab, accountId, nextToken };
}

const mark = (page: Page) => page.evaluate('globalThis.marked = true');
const isMarked = (page: Page) => page.evaluate('globalThis.marked === true');

test('a person sees members and personal data, and freezes the account', async () => {
  const { page } = await aPerson(on);
  await page.goto(`${on.url}/console/members`);
  await page.getByRole('heading', { name: 'Personal data' }).waitFor();
  expect(await axeFaults({ page })).toEqual([]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).first().click();
  expect((await saved).suggestedFilename()).toBe('person.json');

  await page.goto(`${on.url}/console/account`);
  await page.getByRole('switch', { name: 'Stop all changes' }).click();
  await page.getByText('The account is frozen', { exact: false }).waitFor();
  expect(await axeFaults({ page })).toEqual([]);
  await page.goto(`${on.url}/console/members`);
  const erase = page.getByRole('button', { name: 'Erase', disabled: true }).first();
  await erase.waitFor();
  expect(await erase.getAttribute('aria-description')).toContain('The account is frozen');
});

test('a person signs in at the provider, manages keys, stays signed in after a reload, and signs out', async () => {
  const { page, log, accountId } = await signedInAt('api-keys');

  // The provider returns to the page that asked for the sign-in.
  await page.waitForURL(`${on.url}/console/api-keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('CI');
  expect(await axeFaults({ page })).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const key = await page.getByText(/^svc_live_\w{46}$/).innerText();
  await on.api('get', '/account', key).expect(200);
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(stored).not.toMatch(/eyJ|svc_live_/);

  await page.reload();
  await page.getByText('CI', { exact: true }).waitFor();
  expect(await page.getByText(key).count()).toBe(0);
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Nightly');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nightly', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Colours, language and sign-out' }).click();
  await page.getByText(accountId, { exact: true }).waitFor();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.locator('button[value=yes], button[name=logout]').first().click();
  await signInButton(page).waitFor();
  // The session has ended at the provider too, so it asks for the password again.
  await page.reload();
  await signInButton(page).click();
  await page.locator('input[name=password]').waitFor();
  // The provider's pages load a font, which they do not find here.
  expect(log.problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
});

test('a key whose text was lost with the first answer is named, because only another key has a text', async () => {
  const { page } = await signedInAt('api-keys');
  const create = page.getByRole('button', { name: 'Create a key' });
  await create.waitFor();
  const creation = { method: 'POST', status: 201 };
  const answers = await loseAnswers(page, '**/api/v1/account/api-keys', creation, ({ lost }) => lost < 1);
  await create.click();
  await page.getByRole('dialog').getByLabel('Name').fill('Warehouse');
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Warehouse was created, but its key did not arrive' });
  await notice.getByText('Revoke Warehouse, and create another one.').waitFor();
  await page.getByRole('cell', { name: 'Warehouse' }).waitFor();
  expect(answers.lost).toBe(1);
  expect(await page.getByText(/^svc_live_\w{46}$/).count()).toBe(0);
  await notice.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
});

describe.each([
  ['in a hidden frame', () => on],
  ['by a refresh token', () => refreshing],
])('tokens that are renewed %s', (_, service) => {
  test('replace each other before they expire, and the page stays', async () => {
    const { page, log, nextToken } = await aPerson(service());
    await mark(page);
    const tokens = [await nextToken()];
    for (let renewals = 0; renewals < 2; renewals++) {
      const answered = page.waitForResponse((response) => response.url() === `${provider.issuer}/token`);
      await page.clock.fastForward(renewalMs);
      expect((await answered).status()).toBe(200);
      tokens.push(await nextToken());
    }
    expect(new Set(tokens).size).toBe(3);
    expect(await isMarked(page)).toBe(true);
    expect(await page.getByText('Your sign-in ends at').count()).toBe(0);
    await service().api('get', '/account', tokens.at(-1)).expect(200);
    expect(log.problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
  });

  test('are asked for again while the provider is unreachable', async () => {
    const { page, context, nextToken } = await aPerson(service());
    await mark(page);
    const before = await nextToken();
    await context.route(`${provider.issuer}/**`, (route) => route.abort());
    const asked = page.waitForEvent('requestfailed', (request) => request.url().startsWith(provider.issuer));
    await page.clock.fastForward(renewalMs);
    await asked;
    await context.unroute(`${provider.issuer}/**`);
    // A frame gives up after ten seconds, and the next attempt follows after ten more.
    const answered = page.waitForResponse((response) => response.url() === `${provider.issuer}/token`);
    await page.clock.runFor(25_000);
    await answered;
    expect(await nextToken()).not.toBe(before);
    expect(await isMarked(page)).toBe(true);
  });
});

test('a person whose session has ended returns to the page after a reload and a new sign-in', async () => {
  const { page, context, accountId } = await aPerson(on);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(accountId).waitFor();
  expect(await context.cookies(provider.issuer)).not.toEqual([]);
  await context.clearCookies();
  await page.reload();
  await signInButton(page).waitFor();
  expect(page.url()).toBe(`${on.url}/console/account`);
  await logIn(page, accountId);
  await page.waitForURL(`${on.url}/console/account`);
});

test('a link with a key asks before it signs in, because people sign in at the provider', async () => {
  const { key } = await on.anAccount();
  const { page, takeRequests } = await aTab(on, browser);
  await page.goto(`${on.url}/console/#key=${key}`);
  const question = page.getByRole('dialog', { name: 'Use another account?' });
  await question.getByRole('button', { name: 'Do not use the key' }).click();
  await signInButton(page).waitFor();
  expect(takeRequests()).toEqual([]);
  expect(page.url()).toBe(`${on.url}/console/`);
  await page.goto('about:blank');
  await page.goto(`${on.url}/console/#key=${key}`);
  await question.getByRole('button', { name: 'Use the key', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
});

test('a person who refuses the key of a link stays signed in at the provider', async () => {
  const { page, accountId } = await aPerson(on);
  const { key } = await on.anAccount();
  await page.goto('about:blank');
  await page.goto(`${on.url}/console/account#key=${key}`);
  await page.getByRole('button', { name: 'Do not use the key' }).click();
  await page.getByText(accountId).waitFor();
});

test('an answer of the provider that nobody asked for signs nobody in', async () => {
  const { page, takeRequests } = await aTab(on, browser);
  await page.goto(`${on.url}/console/?code=stolen&state=of-an-attacker`);
  await page.getByText('The sign-in failed').waitFor();
  expect(page.url()).toBe(`${on.url}/console/`);
  expect(takeRequests()).toEqual([]);
});
