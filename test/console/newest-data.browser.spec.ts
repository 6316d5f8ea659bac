/** @needs chromium */
import { aConsole, type Console } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

test('the list goes to its last page after the links of that page were deleted', async () => {
  const operations = Array.from({ length: 26 }, (_, at) => ({ op: 'create', link: { name: `Ticket ${at + 10}` } }));
  await opened.api('post', '/links/bulk').send({ operations, atomic: true }).expect(200);
  const list = '/links?search=Ticket&sortBy=name&sortOrder=asc';
  const { page, context } = await opened.signedIn(opened.inProject(`${list}&page=2`));
  await page.getByRole('checkbox', { name: 'Select Ticket 35' }).check();
  await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Ticket 34' }).waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe('1');
  await context.close();
});

test('a change of links keeps what is selected while it runs', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/links'));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/links/bulk', async (route) => {
    await released;
    return route.fallback();
  });
  const boxes = page.locator('tbody').getByRole('checkbox');
  await boxes.nth(0).check();
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await boxes.nth(1).check();
  release();
  await page.getByText('1 link disabled').waitFor();
  await page.getByText('1 link selected').waitFor();
  expect([await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()]).toEqual([false, true]);
  await context.close();
});

test('a deleted link is gone after a step back', async () => {
  const { body } = await opened.api('post', '/links').send({ name: 'Soon deleted' }).expect(201);
  const { id } = (body as { data: { id: string } }).data;
  const { page, context } = await opened.signedIn(opened.inProject(`/links/${id}`));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  await page.goBack();
  await page.getByText('It does not exist, or it was deleted.').first().waitFor();
  expect(await page.getByRole('heading', { name: 'Soon deleted' }).count()).toBe(0);
  await page.getByRole('heading', { name: 'This link does not exist' }).waitFor();
  await page.getByRole('link', { name: 'To the links' }).waitFor();
  expect(await page.title()).toBe('This link does not exist – Signpost');
  await context.close();
});

test('a project that does not exist has a heading, and names the tab', async () => {
  const { page, context } = await opened.signedIn('/account');
  await page.goto(`${opened.on.url}/console/projects/${'0'.repeat(24)}`);
  await page.getByRole('heading', { name: 'This project does not exist' }).waitFor();
  await page.getByRole('link', { name: 'To the projects', exact: true }).waitFor();
  expect(await page.title()).toBe('This project does not exist – Signpost');
  await context.close();
});

test('the account shows what was created and deleted in the console', async () => {
  const { page, context } = await opened.signedIn('/account');
  const quota = page.locator('.card').filter({ has: page.getByText('Links', { exact: true }) });
  const before = Number(/(\d+) of/.exec(await quota.last().innerText())![1]);
  const untilUsed = async (count: number): Promise<void> => {
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await quota.getByText(`${count} of 10,000`).waitFor();
  };
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('link', { name: 'Demo' }).click();
  await page.getByRole('link', { name: 'New link' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Counted');
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByRole('heading', { name: 'Counted' }).waitFor();
  await untilUsed(before + 1);
  await page.goBack();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  await untilUsed(before);
  await page.goBack();
  await page.locator('tbody').getByRole('checkbox').first().check();
  await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 link deleted').waitFor();
  await untilUsed(before - 1);
  await context.close();
});

test('a table goes to its last page after the rows of that page were deleted', async () => {
  const [link] = await opened.list<{ id: string }>('/links?search=gift');
  const slugs = Array.from({ length: 26 }, (_, at) => `kiosk-${at + 10}`);
  for (const slug of slugs)
    await opened.api('post', '/short-links').send({ dynamic_link_id: link!.id, slug }).expect(201);
  const { page, context } = await opened.signedIn(opened.inProject(`/links/${link!.id}?tab=short-links`));
  await page.getByRole('button', { name: 'Page 2' }).click();
  const last = page.getByRole('button', { name: /^Delete kiosk/ });
  await last.nth(1).waitFor({ state: 'detached' });
  await last.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await last.nth(24).waitFor();
  await context.close();
});

test('the findings of a probe give way to newer ones', async () => {
  const { page, context } = await opened.signedIn(opened.inProject('/apps'));
  await page.route('**/association-health?probe=true', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('true', 'false') });
    const { data } = (await response.json()) as { data: { hosts: object[] } };
    const hosts = data.hosts.map((host) => ({ ...host, probed: [{ platform: 'android', status: 404 }] }));
    return route.fulfill({ json: { data: { ...data, hosts } } });
  });
  const probes = page.getByText('Android 404');
  await page.getByRole('button', { name: 'Check from outside' }).click();
  await probes.first().waitFor();
  await page.getByRole('button', { name: 'Add an app' }).click();
  await page.getByRole('menuitem', { name: 'Android app' }).click();
  const drawer = page.getByRole('dialog', { name: 'New Android app' });
  await drawer.getByLabel('Name', { exact: false }).first().fill('Orchard');
  await drawer.getByRole('textbox', { name: 'Package name', exact: true }).fill('com.example.orchard');
  await drawer.getByLabel('SHA-256 fingerprints').fill(Array.from({ length: 32 }, () => 'AB').join(':'));
  await drawer.getByRole('button', { name: 'Add an app' }).click();
  await drawer.waitFor({ state: 'detached' });
  await probes.first().waitFor({ state: 'detached' });
  await context.close();
});

test('the overview of another project shows no clicks of the one before', async () => {
  const created = await opened.on
    .api('post', '/projects', opened.account.key)
    .send({ name: 'Harbour', subdomain: 'harbour' })
    .expect(201);
  const { id } = (created.body as { data: { id: string } }).data;
  const { page, context } = await opened.signedIn(`/projects/${id}/settings`);
  await page.getByLabel('Name').waitFor();
  const openProject = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Search and commands' }).click();
    await page.getByPlaceholder('Search links, projects and pages').fill(name);
    await page
      .locator('.mantine-Spotlight-action')
      .filter({ hasText: new RegExp(`^${name}`) })
      .click();
    await page.getByRole('heading', { name }).waitFor();
  };
  await openProject('Demo');
  const chart = page.getByText('Table', { exact: true });
  await chart.waitFor();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/projects/${id}/analytics?*`, async (route) => {
    await released;
    return route.fallback();
  });
  await openProject('Harbour');
  expect(await chart.count()).toBe(0);
  release();
  await chart.waitFor();
  await context.close();
});

test('a comparison that is missing says nothing about the period before', async () => {
  const { page, context } = await opened.signedIn('/');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/analytics?*', async (route) => {
    if (new URL(route.request().url()).searchParams.has('group_by')) return route.fallback();
    await released;
    const body = JSON.stringify({ error: { code: 'ACCESS_DENIED', message: 'No' } });
    return route.fulfill({ status: 403, contentType: 'application/json', body });
  });
  await page.getByRole('link', { name: 'Demo' }).first().click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Table', { exact: true }).click();
  const row = page.getByRole('region', { name: 'Table' }).getByRole('row').nth(1);
  expect(await row.getByRole('cell').last().textContent()).toBe('–');
  expect(await page.getByText('None in the period before').count()).toBe(0);
  release();
  await page.getByText('The period before could not be read').first().waitFor();
  expect(await page.getByText('None in the period before').count()).toBe(0);
  await context.close();
});
