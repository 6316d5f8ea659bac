/** @needs chromium */
import type { Page } from 'playwright-core';
import { loseAnswers } from './lost-answers';
import { type Tab, useConsole } from './open-console';

const opened = useConsole();

const failure = { status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'Refused: INTERNAL_ERROR' } } };

/** Makes the page read again what it shows, as it does when its data is old. */
async function readAgain(page: Page): Promise<void> {
  await page.clock.fastForward(31_000);
  await page.context().setOffline(true);
  await page.context().setOffline(false);
}

describe('data that cannot be read again', () => {
  async function openLink(): Promise<Tab & { path: string }> {
    const path = `/links/${(await opened.create('/links', { name: 'Kiosk' })).id}`;
    const tab = await opened.signedIn();
    await tab.page.clock.install();
    await tab.open(opened.inProject(path));
    await tab.page.getByLabel('Notes').waitFor();
    return { ...tab, path };
  }

  test('gives way to the error if somebody else deleted it', async () => {
    const { page, path } = await openLink();
    await opened.api('delete', path).expect(200);
    await readAgain(page);
    await page.getByText('It does not exist, or it was deleted.').first().waitFor();
    await page.getByLabel('Notes').waitFor({ state: 'detached' });
  });

  test('stays below a notice after other errors, and keeps what is typed', async () => {
    const { page, path } = await openLink();
    await page.getByLabel('Notes').fill('Typed before');
    await page.route(`**/api/v1/**${path}`, (route) => route.fulfill(failure));
    await readAgain(page);
    const notice = page.getByRole('status').filter({ hasText: 'This may be out of date' });
    await notice.waitFor();
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed before');
    await page.unroute(`**/api/v1/**${path}`);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed before');
  });
});

test('a creation whose answer was lost creates no second link when its button is pressed again', async () => {
  const { page } = await opened.signedIn(opened.inProject('/links/new'));
  let isLost = true;
  const answers = await loseAnswers(
    page,
    '**/api/v1/projects/*/links',
    { method: 'POST', status: 201 },
    () => isLost,
    (route) => route.fulfill(failure),
  );
  await page.getByLabel('Name', { exact: false }).first().fill('Bus stop');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByText('Refused: INTERNAL_ERROR').waitFor();
  expect(answers.lost).toBe(1);
  isLost = false;
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: 'Bus stop' }).waitFor();
  expect(await opened.list('/links?search=Bus%20stop')).toHaveLength(1);
});
