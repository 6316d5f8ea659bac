/** @needs chromium */
import type { Page } from 'playwright-core';
import { aPng } from '../links/pictures/pictures';
import { axeFaults } from './axe-faults';
import { save, saveButton, useConsole } from './open-console';

const opened = useConsole();

interface Link {
  id: string;
  custom_path: string;
  referrer_params: Record<string, string> | null;
  rules: object[] | null;
}

test('a path that was cleared is refused', async () => {
  const { page, takeRequests, link, now } = await opened.openLink<Link>('gift');
  const path = page.getByRole('textbox', { name: 'Path', exact: true });
  await path.fill('');
  await saveButton(page).click();
  await path.and(page.locator('[aria-invalid=true]')).waitFor();
  await page.getByText('The path is missing.').waitFor();
  await path.and(page.locator(':focus')).waitFor();
  await path.fill('gift-2');
  await save(page);
  expect(takeRequests().filter((request) => request.startsWith('PUT')).length).toBe(1);
  expect(await now()).toMatchObject({ id: link.id, custom_path: 'gift-2' });
});

test('an uploaded picture is the picture of the card', async () => {
  const { page, log, now } = await opened.openLink<Link>('gift');
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
  // The same file can be chosen again.
  for (const _ of [1, 2]) {
    const refused = page.waitForResponse(/pictures$/);
    await choose(Buffer.from('<svg/>'));
    await refused;
    await page.getByText('The picture must be a PNG, JPEG or WebP').waitFor();
    expect(log.problems.splice(0)).toHaveLength(1);
  }
  await choose(aPng(240, 126, [20, 90, 200, 255]));
  await page.locator('.social-card img').waitFor();
  expect(await address.inputValue()).toMatch(/^http:\/\/demo\.localhost:3000\/_pictures\//);
  const width = "document.querySelector('.social-card img').naturalWidth";
  await page.waitForFunction(`${width} > 0`);
  expect(await page.evaluate(width)).toBe(240);
  await save(page);
  expect(await now()).toMatchObject({ social_image_url: await address.inputValue() });
  expect(log.problems).toEqual([]);
});

test('title and picture of the web page fill what is empty, and a page that cannot be read is explained', async () => {
  const { page, takeRequests } = await opened.openLink<Link>('gift');
  const preview = { title: 'From the page', description: 'All of it', picture: null, failure: null };
  let data: object = preview;
  await page.route('**/pictures/from-page', (route) => route.fulfill({ json: { data } }));
  await page.getByLabel('Title of the card').fill('Typed');
  await page.getByLabel('Text of the card').fill('');
  const fetchPage = page.getByRole('button', { name: 'Take title and picture of the web page' });
  await fetchPage.click();
  await page.getByText('The web page was read. It has no picture that can be stored.').waitFor();
  expect(await page.getByLabel('Title of the card').inputValue()).toBe('Typed');
  expect(await page.getByLabel('Text of the card').inputValue()).toBe('All of it');
  data = { ...preview, title: null, failure: 'private_address' };
  await fetchPage.click();
  await page.getByText('The address of the web page is not public').waitFor();
  expect(takeRequests().filter((request) => request.includes('from-page'))).toHaveLength(2);
});

test('a duplicate has the fields of its link, and pasted UTM values become parameters', async () => {
  const { page } = await opened.openLink<Link>('winter-sale');
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
});

describe('rules of a link', () => {
  const rule = (page: Page, number: number) => page.getByRole('group', { name: `Rule ${number}`, exact: true });

  async function addCondition(page: Page, number: number, condition: string): Promise<void> {
    await rule(page, number).getByLabel(`Add a condition to rule ${number}`).click();
    await page.getByRole('option', { name: condition, exact: true }).click();
  }

  async function choose(page: Page, number: number, field: string, option: string): Promise<void> {
    const input = rule(page, number).getByRole('combobox', { name: field, exact: true });
    await input.click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await input.press('Tab');
  }

  test('are built, simulated, moved by the keyboard and saved', async () => {
    const tab = await opened.openLink<Link>('size-guide');
    const { page, now } = tab;
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await addCondition(page, 1, 'Countries');
    await choose(page, 1, 'Countries', 'Germany');
    await rule(page, 1).getByLabel('Web page of the rule').fill('https://shop.example.com/de');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await addCondition(page, 2, 'Parameters of the visitor');
    await rule(page, 2).getByLabel('Name of parameter 1').fill('utm_source');
    await rule(page, 2).getByLabel('Web page of the rule').fill('https://shop.example.com/mail');
    const simulation = page.getByRole('region', { name: 'Simulation' });
    const visitor = (text: string) => simulation.getByRole('row').filter({ hasText: text });
    await visitor('iOS, Germanyhttps://shop.example.com/de').locator('summary', { hasText: 'Rule 1' }).waitFor();
    // A simulation of both rules, after which no other one replaces the table.
    const american = visitor('iOS, United States');
    await american.getByText('Rule 2 does not match').waitFor({ state: 'attached' });
    await american.locator('summary', { hasText: 'No rule matches' }).click();
    await american.getByText('Rule 1 does not match. Conditions that do not hold: Countries.').waitFor();
    await choose(page, 2, 'Leads to', 'Several web pages, split by weight');
    await rule(page, 2).getByLabel('Destination of variant 2').fill('shop.example.com/mail-2');
    const weight = rule(page, 2).getByLabel('Weight of variant 2');
    await weight.fill('');
    await saveButton(page).click();
    await page.getByText('The weight is missing.').waitFor();
    await weight.and(page.locator(':focus')).waitFor();
    await weight.fill('30');
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFaults(tab)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await page.getByRole('button', { name: 'Move rule 1 down' }).press('Enter');
    // The focus follows the rule, which cannot move further down.
    await page.getByRole('button', { name: 'Move rule 2 up' }).and(page.locator(':focus')).waitFor();
    await page.getByText('The rule is number 2 now.').waitFor({ state: 'attached' });
    await save(page);
    expect((await now()).rules).toEqual([
      {
        when: { query: { utm_source: null } },
        then: {
          variants: [
            { name: 'A', url: 'https://shop.example.com/mail', weight: 50 },
            { name: 'B', url: 'https://shop.example.com/mail-2', weight: 30 },
          ],
        },
      },
      { when: { countries: ['DE'] }, then: { url: 'https://shop.example.com/de' } },
    ]);
  });

  test('show the faults that the service names at their inputs, and keep what other programs wrote', async () => {
    const link = (await opened.list<Link>('/links?search=size-guide'))[0]!;
    const rules = [
      {
        when: { browsers: ['Whale'], query: { a: '', b: null } },
        then: { url: 'https://a.example/', params: { c: '1' } },
      },
      { when: { os_version: { min: '16' }, qr: false }, then: { app: true } },
    ];
    await opened.api('put', `/links/${link.id}`).send({ rules }).expect(200);
    const { page, now } = await opened.openLink<Link>('size-guide');
    await rule(page, 1).getByLabel('Web page of the rule').fill('nowhere');
    await rule(page, 2).getByLabel('Version of the system: at most').fill('15');
    await page.getByText('the lowest version is above the highest one').waitFor();
    const wrong = page.locator('[aria-invalid=true]');
    await rule(page, 1).getByLabel('Web page of the rule').and(wrong).waitFor();
    await rule(page, 1).getByLabel('Web page of the rule').fill('https://a.example/');
    await rule(page, 2).getByLabel('Version of the system: at most').fill('');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await rule(page, 3).getByRole('combobox', { name: 'Leads to' }).click();
    await page.getByRole('option', { name: 'The store of the device' }).click();
    await page.getByRole('button', { name: 'Move rule 3 up' }).click();
    await page.getByText('because rule 2 matches all of its visitors before it').waitFor();
    await rule(page, 3).getByLabel('Add a condition to rule 3').and(wrong).waitFor();
    await page.getByRole('button', { name: 'Move rule 2 down' }).click();
    await save(page);
    expect((await now()).rules).toEqual([...rules, { when: {}, then: { store: true } }]);
  });

  test('come from a template, too', async () => {
    const tab = await opened.signedIn(opened.inProject('/templates'));
    const { page } = tab;
    await page.getByRole('button', { name: 'New template' }).click();
    const dialog = page.getByRole('dialog', { name: 'New template' });
    await dialog.getByLabel('Name of the template').fill('Mails');
    await dialog.getByRole('button', { name: 'Add a parameter' }).click();
    await dialog.getByLabel('Name of parameter 1').fill('utm_source');
    await dialog.getByLabel('Value of parameter 1').fill('mails');
    await dialog.getByRole('button', { name: 'Add a rule' }).click();
    await addCondition(page, 1, 'Countries');
    await choose(page, 1, 'Countries', 'Austria');
    await rule(page, 1).getByLabel('Web page of the rule').fill('https://shop.example.com/at');
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFaults(tab)).toEqual([]);
    }
    await dialog.getByRole('button', { name: 'New template' }).click();
    await page.getByRole('row').filter({ hasText: 'utm_source=mails' }).getByText('1 rule').waitFor();
    const link = (await opened.list<Link>('/links?search=gift'))[0]!;
    await tab.open(opened.inProject(`/links/${link.id}`));
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'Mails' }).click();
    await page.locator('.phone').getByText('utm_source=mails').waitFor();
    const simulation = page.getByRole('region', { name: 'Simulation' });
    await simulation.getByText('No rule matches').first().click();
    await simulation.getByText('Template “Mails”: Rule 1 does not match.').first().waitFor();
    await save(page);
    expect(await opened.list(`/links?template=Mails`)).toMatchObject([{ id: link.id }]);
  });
});
