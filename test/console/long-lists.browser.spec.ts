/** @needs chromium */
import { aConsole, type Console, type Tab } from './open-console';

const links = 10_000;

let opened: Console;
let tab: Tab;
beforeAll(async () => {
  opened = await aConsole({ QUOTA_PRO_DYNAMIC_LINKS: 'unlimited' });
  await opened.on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url, created_at)
     SELECT gen_random_uuid(), $1, 'Long list ' || lpad(number::text, 5, '0'), 'long-' || number, 'https://example.com/' || number,
            now() - number * interval '1 minute'
     FROM generate_series(1, $2) AS number`,
    [opened.project.id, links],
  );
  await opened.on.database.query('ANALYZE dynamic_links');
  tab = await opened.signedIn(opened.inProject('/links?search=Long+list'));
});
afterAll(() => opened?.stop());

const rows = () => tab.page.locator('tbody tr');
const firstName = () => rows().first().getByRole('link').textContent();

/** Waits for a row with the name, and returns the number of rows in the page. */
async function rowsWith(name: string): Promise<number> {
  await tab.page.getByRole('link', { name, exact: true }).waitFor();
  return rows().count();
}

test('the list of 10,000 links opens with one page of rows', async () => {
  expect(await rowsWith('Long list 00001')).toBe(25);
  await tab.page.getByText('10,000 links', { exact: true }).waitFor();
});

test('it sorts, and pages to its end', async () => {
  const { page } = tab;
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(/sortBy=name/);
  await page.getByRole('button', { name: 'Page 400' }).click();
  expect(await rowsWith('Long list 10000')).toBe(25);
  await page.getByRole('button', { name: 'Previous page' }).click();
  expect(await rowsWith('Long list 09975')).toBe(25);
  await page.getByRole('button', { name: 'Name' }).click();
  expect(await rowsWith('Long list 10000')).toBe(25);
  expect(await firstName()).toBe('Long list 10000');
});

test('it searches', async () => {
  const { page } = tab;
  await page.getByRole('searchbox').fill('list 0777');
  expect(await rowsWith('Long list 07770')).toBe(10);
  await page.getByText('10 links', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('Long list');
  await page.getByText('10,000 links', { exact: true }).waitFor();
});

test('the largest page has a hundred rows, and none remains from other pages', async () => {
  const { page } = tab;
  await page.getByRole('combobox', { name: 'Links per page' }).click();
  await page.getByRole('option', { name: '100 per page' }).click();
  await page.waitForURL(/limit=100/);
  await rows().nth(99).waitFor();
  for (const name of ['Long list 09900', 'Long list 09800', 'Long list 09700']) {
    await page.getByRole('button', { name: 'Next page' }).click();
    expect(await rowsWith(name)).toBe(100);
  }
  expect(tab.log.problems).toEqual([]);
});

test('each view costs one request', async () => {
  const { page } = tab;
  tab.takeRequests();
  await page.getByRole('button', { name: 'Next page' }).click();
  await rowsWith('Long list 09600');
  await page.getByRole('button', { name: 'Previous page' }).click();
  await rowsWith('Long list 09700');
  const requests = tab.takeRequests();
  expect(requests.length).toBeLessThanOrEqual(2);
  expect(new Set(requests).size).toBe(requests.length);
});

test('a search that finds more says so, and its pages go on', async () => {
  const { page } = tab;
  await opened.on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, created_at)
     SELECT gen_random_uuid(), $1, 'Long list x' || number, 'more-' || number, '2020-01-01' FROM generate_series(1, 150) AS number`,
    [opened.project.id],
  );
  await page.goto(`${opened.on.url}/console${opened.inProject('/links?search=Long+list&page=100&limit=100')}`);
  await page.getByText('10,000+ links', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/page=101/);
  await page
    .getByRole('link', { name: /^Long list x/ })
    .nth(99)
    .waitFor();
  await page.getByRole('checkbox', { name: 'Select all links of this page' }).click();
  await page.getByText('Narrow the filters to select all links that match.').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/page=102/);
  await page
    .getByRole('link', { name: /^Long list x/ })
    .nth(49)
    .waitFor();
  expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
});
