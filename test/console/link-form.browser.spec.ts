/** @needs chromium */
import type { Page } from 'playwright-core';
import { aPng } from '../links/pictures/pictures';
import { aConsole, type Console } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

interface Link {
  id: string;
  custom_path: string;
  referrer_params: Record<string, string> | null;
}

async function openLink(path: string, search = '') {
  const [link] = await opened.list<Link>(`/links?search=${path}`);
  const now = async () => (await opened.list<Link>(`/links?search=${path}`))[0]!;
  return { ...(await opened.signedIn(opened.inProject(`/links/${link!.id}${search}`))), link: link!, now };
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

/** Waits until a field is marked as wrong, with a message that contains the text. */
async function marked(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
  await page.getByText(text).waitFor();
}

describe('input that a save would drop', () => {
  test('is refused: a path that was cleared', async () => {
    const { page, context, takeRequests, link, now } = await openLink('gift');
    const path = page.getByRole('textbox', { name: 'Path', exact: true });
    await path.fill('');
    await save(page).click();
    await marked(page, 'Path', 'The path is missing.');
    await path.and(page.locator(':focus')).waitFor();
    await path.fill('gift-2');
    await save(page).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect(takeRequests().filter((request) => request.startsWith('PUT')).length).toBe(1);
    expect(await now()).toMatchObject({ id: link.id, custom_path: 'gift-2' });
    await context.close();
  });
});

test('an uploaded picture is the picture of the card', async () => {
  const { page, context, log, now } = await openLink('gift');
  // The link hosts of the test have another port.
  await page.route('**/_pictures/*', async (route) => {
    const url = new URL(route.request().url());
    const { body } = await opened.on.visit(url.hostname.split('.')[0]!, url.pathname);
    await route.fulfill({ body: body as Buffer, contentType: 'image/jpeg' });
  });
  const address = page.getByLabel('Picture of the card', { exact: true });
  const choose = async (bytes: Buffer) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload a picture' }).click(),
    ]);
    await chooser.setFiles({ name: 'picture.png', mimeType: 'image/png', buffer: bytes });
  };
  await choose(Buffer.from('<svg/>'));
  await page.getByText('The picture must be a PNG, JPEG or WebP').waitFor();
  expect(log.problems.splice(0)).toHaveLength(1);
  await choose(aPng(240, 126, [20, 90, 200, 255]));
  await page.locator('.social-card img').waitFor();
  expect(await address.inputValue()).toMatch(/^http:\/\/demo\.localhost:3000\/_pictures\//);
  const width = "document.querySelector('.social-card img').naturalWidth";
  await page.waitForFunction(`${width} > 0`);
  expect(await page.evaluate(width)).toBe(240);
  await save(page).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect(await now()).toMatchObject({ social_image_url: await address.inputValue() });
  expect(log.problems).toEqual([]);
  await context.close();
});

test('a duplicate has the fields of its link, and pasted UTM values become parameters', async () => {
  const { page, context } = await openLink('winter-sale');
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await page.waitForURL(/links\/new\?copy=/);
  const web = page.getByLabel('Web page');
  expect(await web.inputValue()).toMatch(/^https:/);
  expect(await page.getByLabel('Path', { exact: true }).inputValue()).toBe('');
  const name = await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue();
  expect(name).toMatch(/ \(copy\)$/);
  await web.selectText();
  // Pastes without the clipboard of the machine.
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'https://shop.example.com/?x=1&utm_source=poster&utm_content=red');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await page.getByText('UTM values of the address are parameters now').waitFor();
  expect(await web.inputValue()).toBe('https://shop.example.com/?x=1');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.waitForURL(/links\/[0-9a-f-]{36}/);
  const [created] = await opened.list<{ referrer_params: object }>(`/links?search=${encodeURIComponent(name)}`);
  expect(created!.referrer_params).toMatchObject({ utm_source: 'poster', utm_content: 'red' });
  await context.close();
});
