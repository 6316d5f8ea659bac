/** @needs chromium */
import { aTab, useConsole } from './open-console';

const opened = useConsole();

const links = (search: string): Promise<{ id: string; tags: string[] }[]> => opened.list(`/links?search=${search}`);

test('a sign-in refuses text that is no key, and says that a key is not valid', async () => {
  const { page } = await aTab(opened.on, opened.browser);
  await page.goto(`${opened.on.url}/console/`);
  const signIn = async (key: string): Promise<void> => {
    await page.getByLabel('API key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Sign in with the key' }).click();
  };
  await signIn('hunter2');
  await page.getByText('begins with svc_live_').waitFor();
  await signIn(`svc_live_${'a'.repeat(46)}`);
  await page.getByText('does not accept this API key').waitFor();
  await signIn(opened.account.key);
  await page.getByRole('link', { name: 'Demo' }).first().waitFor();
  await page.getByRole('button', { name: 'Colours, language and sign-out' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(
    'svc_live_',
  );
});

test('tags of selected links change beside those that somebody else gave them meanwhile', async () => {
  const names = ['Badge 0', 'Badge 1', 'Badge 2'];
  const operations = names.map((name) => ({ op: 'create', link: { name, tags: ['Old'] } }));
  await opened.api('post', '/links/bulk').send({ operations, atomic: true }).expect(200);
  const tagsNow = async () => (await links('Badge&sortBy=name&sortOrder=asc')).map(({ tags }) => tags.join());
  const { page } = await opened.signedIn(opened.inProject('/links?search=Badge'));
  const [first, , last] = await links('Badge&sortBy=name&sortOrder=asc');
  const addTag = async (tag: string) => {
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('menuitem', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tags to 3 links?' });
    await dialog.getByLabel('Tags', { exact: true }).first().fill(tag);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add tags' }).click();
  };
  await page.getByRole('row').filter({ hasText: 'Badge 0' }).getByText('Old').waitFor();
  const theirs = { tags: ['Theirs', 'Old'] };
  await opened.api('put', `/links/${first!.id}`).send(theirs).expect(200);
  await addTag('Mine');
  await page.getByText('3 links have the tags').waitFor();
  expect(await tagsNow()).toEqual(['Theirs,Old,Mine', 'Old,Mine', 'Old,Mine']);
  await opened.api('delete', `/links/${last!.id}`).expect(200);
  await addTag('Late');
  await page.getByText('2 links have the tags').waitFor();
  await page.getByText('1 selected link no longer exists').waitFor();
  expect(await tagsNow()).toEqual(['Theirs,Old,Mine,Late', 'Old,Mine,Late']);
});

test('German is complete, and the choice stays', async () => {
  const { page } = await opened.signedIn('/', { locale: 'de-DE' });
  await page.getByRole('heading', { name: 'Projekte' }).waitFor();
  expect(await page.getAttribute('html', 'lang')).toBe('de');
  await page.getByRole('button', { name: 'Farben, Sprache und Abmelden' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
});

test.each([
  [429, 'RATE_LIMITED', 'Too many requests in this minute'],
  [503, 'DATABASE_ERROR', 'The service is not available at the moment'],
])('after %d the console says so, and sends the request again', async (status, code, notice) => {
  const { page } = await opened.signedIn('/');
  let answers = 0;
  // The second answer waits until the notice was seen, because it takes the notice away.
  let seen = () => {};
  const noticeSeen = new Promise<void>((resolve) => (seen = resolve));
  await page.route('**/api/v1/account', async (route) => {
    if (answers++ > 0) {
      await noticeSeen;
      return route.continue();
    }
    return route.fulfill({ status, headers: { 'Retry-After': '1' }, json: { error: { code, message: 'Later' } } });
  });
  // A new page, because the account that was read at the sign-in is fresh for half a minute.
  await page.goto(`${opened.on.url}/console/account`);
  await page.getByText(notice).waitFor();
  seen();
  await page.getByText('of 10,000').waitFor();
  await page.getByText(notice).waitFor({ state: 'detached' });
});

test('hostile names run no script', async () => {
  const hostile = `"><img src=x onerror=__pwned()><script>__pwned()</script>{{7*7}}`;
  const body = { name: hostile, custom_path: 'hostile', social_title: hostile, social_description: hostile };
  const { id } = await opened.create('/links', body);
  const { page, log } = await opened.signedIn(opened.inProject('/links'));
  await page.getByText(hostile).first().waitFor();
  await page.goto(`${opened.on.url}/console${opened.inProject(`/links/${id}`)}`);
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByText('Why?').waitFor();
  expect(log.problems).toEqual([]);
});
