/** @needs chromium */
import type { Page } from 'playwright-core';
import { useService } from '../browser/use-browser';
import { aProject } from '../support/builders';
import type { TestAccount } from '../support/service';
import { axeFaults } from './axe-faults';
import { aTab, useTabs } from './open-console';

const opened = useService();
let mine: TestAccount;
let theirs: TestAccount;
useTabs();
beforeAll(async () => {
  const { on } = opened;
  [mine, theirs] = [await on.anAccount(), await on.anAccount()];
  for (const { key, accountId } of [mine, theirs]) await aProject(on, key, { name: `Of ${accountId}` });
});

const consoleUrl = (fragment = '') => `${opened.on.url}/console/${fragment}`;
const projectOf = (page: Page, { accountId }: TestAccount) => page.getByRole('link', { name: `Of ${accountId}` });
const question = (page: Page) => page.getByRole('dialog', { name: 'Use another account?' });

/** The keys of all requests of the page, without repetition. */
function sentKeys(page: Page): Set<string> {
  const keys = new Set<string>();
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization) keys.add(authorization.replace('Bearer ', ''));
  });
  return keys;
}

describe.each([
  [
    'a page load',
    (page: Page, key: string) => page.goto('about:blank').then(() => page.goto(consoleUrl(`#key=${key}`))),
  ],
  ['a change of the fragment', (page: Page, key: string) => page.goto(consoleUrl(`#key=${key}`))],
])('a link with the key of another account, opened by %s while somebody is signed in,', (_, open) => {
  test('changes nothing until the reader agrees', async () => {
    const { page, log } = await aTab(opened.on, opened.browser);
    await page.goto(consoleUrl(`#key=${mine.key}`));
    await projectOf(page, mine).waitFor();
    const keys = sentKeys(page);
    await open(page, theirs.key);
    await question(page).waitFor();
    await question(page).getByText(theirs.key.slice(0, 13)).waitFor();
    expect(page.url()).toBe(consoleUrl());
    expect(await axeFaults({ page })).toEqual([]);
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    await page.reload();
    await projectOf(page, mine).waitFor();
    expect([...keys]).toEqual([mine.key]);
    expect(await question(page).count()).toBe(0);
    expect(log.problems).toEqual([]);
  });

  test('signs in after the reader agreed, and nothing of the first account stays', async () => {
    const { page, log } = await aTab(opened.on, opened.browser);
    await page.goto(consoleUrl(`#key=${mine.key}`));
    await projectOf(page, mine).waitFor();
    await open(page, theirs.key);
    await question(page).getByRole('button', { name: 'Use the key', exact: true }).click();
    await projectOf(page, theirs).waitFor();
    expect(await projectOf(page, mine).count()).toBe(0);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(mine.key);
    expect(page.url()).toBe(consoleUrl());
    expect(log.problems).toEqual([]);
  });
});

test('a link with the key that is in use asks nothing', async () => {
  const { page } = await aTab(opened.on, opened.browser);
  await page.goto(consoleUrl(`#key=${mine.key}`));
  await projectOf(page, mine).waitFor();
  await page.goto('about:blank');
  await page.goto(consoleUrl(`#key=${mine.key}`));
  await projectOf(page, mine).waitFor();
  expect(await question(page).count()).toBe(0);
});

const validLooking = `svc_live_${'a'.repeat(46)}`;
const hostile: [name: string, fragment: string][] = [
  ['an empty key', '#key='],
  ['a script', '#key=<script>__pwned()</script>'],
  ['an encoded script', '#key=%3Cimg%20src%3Dx%20onerror%3D__pwned()%3E'],
  ['a line break', `#key=${validLooking}%0d%0aX-Injected:%201`],
  ['a null byte', `#key=${validLooking}%00`],
  ['a broken percent sign', '#key=%E0%A4%A'],
  ['letters that look alike', `#key=svc_live_${encodeURIComponent('а'.repeat(46))}`],
  ['a script address', '#key=javascript:__pwned()'],
  ['two keys', `#key=${validLooking}&key=${validLooking}`],
  ['a very long text', `#key=${'a'.repeat(100_000)}`],
];

test.each(hostile)(
  'a link with %s as key signs nobody in, sends nothing, and signs nobody out',
  async (_, fragment) => {
    const { page, log, takeRequests } = await aTab(opened.on, opened.browser);
    await page.goto(consoleUrl(fragment));
    await page.getByText('The link has no valid API key').waitFor();
    expect(page.url()).toBe(consoleUrl());
    expect(takeRequests()).toEqual([]);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
    for (const address of [consoleUrl(`#key=${mine.key}`), consoleUrl(fragment)]) {
      await page.goto('about:blank');
      await page.goto(address);
      await projectOf(page, mine).waitFor();
    }
    expect(page.url()).toBe(consoleUrl());
    expect(await question(page).count()).toBe(0);
    expect(log.problems).toEqual([]);
  },
);
