/** @needs chromium */
import type { Page, Route } from 'playwright-core';
import { startImports } from '../support/imports';
import { loseAnswers } from './lost-answers';
import { aConsole, type Console, type Tab } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
  await startImports(opened.on);
});
afterAll(() => opened?.stop());

const json = (status: number, body: object, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { error: { code, message: `Refused: ${code}` } }, headers);

/** Makes the page read again what it shows, as it does when its data is old. */
async function readAgain(page: Page): Promise<void> {
  await page.clock.fastForward(31_000);
  await page.context().setOffline(true);
  await page.context().setOffline(false);
}

describe('the page of an import that is running', () => {
  interface Job {
    id: string;
    state: string;
  }

  /** Opens an import that the console sees running until `stream`, which answers requests for its events, ends it. */
  async function openRunning(stream: (route: Route, attempt: number, end: () => void) => Promise<void>) {
    const { body } = await opened
      .api('post', '/imports?source=csv')
      .set('Content-Type', 'text/csv')
      .send('path,desktop_url\nheld,https://shop.example.com/\n')
      .expect(202);
    const { id } = (body as { data: Job }).data;
    const { page, context } = await opened.signedIn();
    let isRunning = true;
    await page.route(`**/api/v1/**/imports/${id}`, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: Job };
      return route.fulfill({ response, json: { data: { ...data, ...(isRunning && { state: 'running' }) } } });
    });
    let attempts = 0;
    await page.route(`**/api/v1/**/imports/${id}/events`, (route) =>
      stream(route, ++attempts, () => (isRunning = false)),
    );
    await page.goto(`${opened.on.url}/console${opened.inProject(`/imports/${id}`)}`);
    return { id, page, context };
  }

  test.each([500, 502, 404])('goes on after its stream was answered %i once', async (status) => {
    const { page, context } = await openRunning((route, attempt, end) => {
      if (attempt === 1) return route.fulfill(json(status, {}, { 'Retry-After': '1' }));
      end();
      return route.fallback();
    });
    await page.getByText('No link has changed yet.').waitFor();
    await context.close();
  });
});

describe('data that cannot be read again', () => {
  async function openLink(): Promise<Tab & { path: string }> {
    const { body } = await opened.api('post', '/links').send({ name: 'Kiosk' }).expect(201);
    const path = `/links/${(body as { data: { id: string } }).data.id}`;
    const tab = await opened.signedIn();
    await tab.page.clock.install();
    await tab.open(opened.inProject(path));
    await tab.page.getByLabel('Notes').waitFor();
    return { ...tab, path };
  }

  test('gives way to the error if somebody else deleted it', async () => {
    const { page, context, path } = await openLink();
    await opened.api('delete', path).expect(200);
    await readAgain(page);
    await page.getByText('It does not exist, or it was deleted.').first().waitFor();
    await page.getByLabel('Notes').waitFor({ state: 'detached' });
    await context.close();
  });

  test('stays below a notice after other errors, and keeps what is typed', async () => {
    const { page, context, path } = await openLink();
    await page.getByLabel('Notes').fill('Typed before');
    await page.route(`**/api/v1/**${path}`, (route) => route.fulfill(refusal(500, 'INTERNAL_ERROR')));
    await readAgain(page);
    const notice = page.getByRole('status').filter({ hasText: 'This may be out of date' });
    await notice.waitFor();
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed before');
    await page.unroute(`**/api/v1/**${path}`);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed before');
    await context.close();
  });
});

describe('a creation whose answer was lost', () => {
  /** Lets creations reach the service, and loses their answers until `find` is called. */
  async function losing(page: Page, url: string) {
    let isLost = true;
    const answers = await loseAnswers(
      page,
      url,
      { method: 'POST', status: 201 },
      () => isLost,
      (route) => route.fulfill(refusal(500, 'INTERNAL_ERROR')),
    );
    return { answers, find: () => (isLost = false) };
  }

  test('creates no second link when its button is pressed again', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/links/new'));
    const { answers, find } = await losing(page, '**/api/v1/projects/*/links');
    await page.getByLabel('Name', { exact: false }).first().fill('Bus stop');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Refused: INTERNAL_ERROR').waitFor();
    expect(answers.lost).toBe(1);
    find();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('heading', { name: 'Bus stop' }).waitFor();
    expect(await opened.list('/links?search=Bus%20stop')).toHaveLength(1);
    await context.close();
  });

  test('creates no second short link, and the next press creates another one', async () => {
    const { body } = await opened.api('post', '/links').send({ name: 'Tram' }).expect(201);
    const { id } = (body as { data: { id: string } }).data;
    const { page, context } = await opened.signedIn(opened.inProject(`/links/${id}?tab=short-links`));
    const { answers, find } = await losing(page, '**/api/v1/**/short-links');
    const create = page.getByRole('button', { name: 'Create a short link' });
    const rows = page.getByRole('button', { name: /^Delete / });
    await create.click();
    await page.getByText('Refused: INTERNAL_ERROR').waitFor();
    expect(answers.lost).toBe(1);
    find();
    await create.click();
    await rows.nth(0).waitFor();
    await create.click();
    await rows.nth(1).waitFor();
    expect(await opened.list(`/short-links?dynamic_link_id=${id}`)).toHaveLength(2);
    await context.close();
  });
});
