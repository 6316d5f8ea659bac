/** @needs chromium */
import type { Page, Response } from 'playwright-core';
import { loseAnswers } from './lost-answers';
import { holding } from './holding';
import { aConsole, type Console, type Tab } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

interface Link {
  id: string;
  name: string;
  social_title: string | null;
  notes: string | null;
}

async function openLink(path: string): Promise<Tab & { link: Link; now: () => Promise<Link> }> {
  const [link] = await opened.list<Link>(`/links?search=${path}`);
  const now = async () => (await opened.list<Link>(`/links?search=${path}`))[0]!;
  return { ...(await opened.signedIn(opened.inProject(`/links/${link!.id}`))), link: link!, now };
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const conflict = (page: Page) => page.getByText('Somebody else changed this');
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor();

/** Collects the questions before changes are lost, and answers them all alike. */
function answering(page: Page, accept: boolean): string[] {
  const asked: string[] = [];
  page.context().removeAllListeners('dialog');
  page.context().on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (accept ? dialog.accept() : dialog.dismiss());
  });
  return asked;
}

/** Waits until the page has handled an answer: longer than its tasks take that follow the last byte. */
async function handled(page: Page, answer: Promise<Response>): Promise<void> {
  await (await answer).finished();
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
}

describe('the form of a link', () => {
  test('shows a newer version, and asks only if its own changes differ', async () => {
    const { page, context, link } = await openLink('gift');
    await page.getByLabel('Notes').waitFor();
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('checkbox', { name: `Select ${link.name}` }).check();
    const bar = page.getByRole('region', { name: 'Selected links' });
    await bar.getByRole('button', { name: 'State' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByText('1 link disabled').waitFor();
    await page.getByRole('link', { name: link.name }).first().click();
    await page.getByLabel('Notes').waitFor();
    await page.locator('input:checked').and(page.getByLabel('Disabled')).waitFor();
    expect(await save(page).isDisabled()).toBe(true);
    await page.getByLabel('Notes').fill('After the own change');
    await save(page).click();
    await saved(page);
    expect(await conflict(page).count()).toBe(0);

    // The page is entered with a change, which the newer version is compared with.
    await page.route(`**/links/${link.id}`, async (route) => {
      if (route.request().method() === 'GET') await page.getByText('Unsaved changes').waitFor();
      return route.fallback();
    });
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('checkbox', { name: `Select ${link.name}` }).check();
    await bar.getByRole('button', { name: 'State' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await page.getByText('1 link enabled').waitFor();
    await page.getByRole('link', { name: link.name }).first().click();
    await page.getByLabel('Notes').fill('Typed too early');
    await conflict(page).waitFor();
    expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(0);
    await page.getByText('Changes of others in other fields stay: Disabled').waitFor();
    await page.getByRole('button', { name: 'Load the current state' }).click();
    expect(await page.getByLabel('Notes').inputValue()).toBe('After the own change');
    expect(await page.getByLabel('Disabled').isChecked()).toBe(false);
    await context.close();
  });

  test('saves only the own changes over those of somebody else', async () => {
    const { page, context, link, now } = await openLink('feedback');
    await page.getByLabel('Notes').fill('Mine');
    await page.getByLabel('Title of the card').fill('Mine too');
    const theirs = { notes: 'Theirs', name: 'Feedback of others', tags: ['theirs'] };
    await opened.api('put', `/links/${link.id}`).send(theirs).expect(200);
    await save(page).click();
    await conflict(page).waitFor();
    const alert = page.getByRole('alert').filter({ has: conflict(page) });
    expect(await alert.getByRole('listitem').allTextContents()).toEqual(['Notes: Theirs']);
    await alert.getByText('Changes of others in other fields stay: Name and Tags').waitFor();
    await page.getByRole('button', { name: 'Save mine' }).click();
    await saved(page);
    expect(await now()).toMatchObject({ ...theirs, notes: 'Mine', social_title: 'Mine too' });
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(theirs.name);
    await context.close();
  });

  test('keeps what is typed while it is saved', async () => {
    const { page, context, now } = await openLink('size-guide');
    const { release } = await holding(page, '**/api/v1/**/links/*', 'PUT');
    await page.getByLabel('Notes').fill('Sent');
    await save(page).click();
    await page.getByLabel('Title of the card').fill('Typed meanwhile');
    release();
    await saved(page);
    expect(await page.getByLabel('Title of the card').inputValue()).toBe('Typed meanwhile');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await save(page).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await now()).toMatchObject({ notes: 'Sent', social_title: 'Typed meanwhile' });
    await context.close();
  });

  test('finds its own change after a lost answer, and offers an undo', async () => {
    const { page, context, now } = await openLink('winter-sale');
    const answers = await loseAnswers(
      page,
      '**/api/v1/**/links/*',
      { method: 'PUT', status: 200 },
      ({ lost }) => lost < 1,
    );
    await page.getByLabel('Notes').fill(' Saved once ');
    await save(page).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect([answers, await conflict(page).count()]).toEqual([{ lost: 1, repeated: 1 }, 0]);
    expect(await now()).toMatchObject({ notes: 'Saved once' });
    await context.close();
  });
});

describe('while an answer is pending', () => {
  test('the editor of an app keeps what is typed, and stays open', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/apps'));
    await page.getByRole('button', { name: 'Edit Alpine Shop (iOS)' }).click();
    const drawer = page.getByRole('dialog', { name: 'Alpine Shop' });
    const { release } = await holding(page, '**/api/v1/**/ios-apps/*', 'PUT');
    await drawer.getByLabel('App Store ID').fill('111');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByLabel('App Store ID').fill('222');
    release();
    await saved(page);
    expect(await drawer.getByLabel('App Store ID').inputValue()).toBe('222');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.waitFor({ state: 'detached' });
    expect(await opened.list('/ios-apps?search=alpine')).toMatchObject([{ appstore_id: '222' }]);
    await context.close();
  });

  test('the fields of a new link take no text, and have the focus again after a failure', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/links/new'));
    const { release } = await holding(page, '**/api/v1/projects/*/links', 'POST');
    const name = page.getByLabel('Name', { exact: false }).first();
    const path = page.getByLabel('Path', { exact: false }).first();
    await name.fill('Taken');
    await path.fill('winter-sale');
    await path.press('Enter');
    await page.locator('input:disabled').and(name).waitFor();
    release();
    await page.locator('input[aria-invalid=true]').and(path).and(page.locator(':focus')).waitFor();
    await context.close();
  });

  test.each([
    ['domain', '/domains', 'Your domain', 'Add the domain', 'one.example.com', '**/custom-domains'],
    ['slug', '?tab=short-links', 'Slug', 'Create a short link', 'one', '**/short-links'],
  ])('the next %s stays in its field', async (_, path, label, button, value, url) => {
    const [link] = await opened.list<Link>('/links?search=gift');
    const at = path.startsWith('?') ? `/links/${link!.id}${path}` : path;
    const { page, context } = await opened.signedIn(opened.inProject(at));
    const field = page.getByLabel(label);
    const { release } = await holding(page, `**/api/v1/${url}`, 'POST');
    await field.fill(value);
    await page.getByRole('button', { name: button }).click();
    await field.fill('typed-meanwhile');
    const listed = page.waitForResponse(
      (response) => response.request().method() === 'GET' && /domains|short/.test(response.url()),
    );
    release();
    await listed;
    await page.getByText(value).first().waitFor();
    expect(await field.inputValue()).toBe('typed-meanwhile');
    await context.close();
  });
});

/** Changes the focused field, and presses Escape after what React renders at once, as on a slow computer. */
const insertAndEscape = `(async () => {
  document.execCommand('insertText', false, '123');
  await Promise.resolve();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
})()`;

describe('changes that are not saved', () => {
  const leave = 'Leave the page? Your changes are not saved.';

  test('of a new link are lost after a question only', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/links/new'));
    const asked = answering(page, false);
    await page.getByLabel('Name', { exact: false }).first().fill('Draft');
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    expect(await page.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Draft');
    expect(asked).toEqual([leave]);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('heading', { name: 'Draft' }).waitFor();
    expect(asked).toEqual([leave]);
    await context.close();
  });

  test('are lost by a sign-out after a question only', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/links/new'));
    const signOut = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Colours, language and sign-out' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const refused = answering(page, false);
    await page.getByLabel('Name', { exact: false }).first().fill('Draft');
    await signOut();
    expect(refused).toEqual([leave]);
    expect(await page.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Draft');
    const accepted = answering(page, true);
    await signOut();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(accepted).toEqual([leave]);
    await context.close();
  });

  test('of an import are lost after a question only', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/imports/new'));
    const asked = answering(page, false);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from('slug\none\n') });
    await page.getByText('Read as CSV').waitFor();
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    expect(asked).toEqual([leave]);
    await page.getByText('Read as CSV').waitFor();
    await context.close();
  });

  test('of the list of another system are lost after a question only', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/imports/new'));
    const asked = answering(page, false);
    await page.getByRole('radio', { name: 'By an API' }).focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Access token').fill('token-of-another-system');
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    expect(asked).toEqual([leave]);
    expect(await page.getByLabel('Access token').inputValue()).toBe('token-of-another-system');
    await context.close();
  });

  test('of a new project are lost after a question only', async () => {
    const { page, context } = await opened.signedIn('/');
    const asked = answering(page, false);
    await page.getByRole('button', { name: 'New project' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New project' });
    await dialog.getByLabel('Name').fill('Harbour');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(asked).toEqual(['Close this? Your changes are not saved.', 'Close this? Your changes are not saved.']);
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Harbour');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    expect(asked.length).toBe(2);
    await context.close();
  });

  test('of an app are lost after a question only', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/apps'));
    await page.getByRole('button', { name: 'Edit Alpine Shop (iOS)' }).click();
    const drawer = page.getByRole('dialog', { name: 'Alpine Shop' });
    const refused = answering(page, false);
    await drawer.getByLabel('App Store ID').selectText();
    await page.evaluate(insertAndEscape);
    expect(refused.length).toBe(1);
    await page.mouse.click(5, 5);
    expect(refused.length).toBe(2);
    expect(await drawer.getByLabel('App Store ID').inputValue()).toBe('123');
    const accepted = answering(page, true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(accepted).toEqual(['Close this? Your changes are not saved.']);
    await context.close();
  });

  test('of the settings stay when a newer version is read', async () => {
    const { page, context, open } = await opened.signedIn('/');
    await open(opened.inProject('/settings'));
    const asked = answering(page, false);
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    expect(asked).toEqual([leave]);
    await opened
      .api('put', '')
      .send({ long_link_destinations: ['theirs.example.com'] })
      .expect(200);
    await page.clock.install();
    await page.clock.fastForward(31_000);
    // The client reads again what is older than 30 seconds.
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await conflict(page).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Load the current state' }).click();
    await page.getByText('theirs.example.com').waitFor();
    await page.getByLabel('Name').fill('Mine');
    await save(page).click();
    await saved(page);
    expect(await conflict(page).count()).toBe(0);
    expect(await save(page).isDisabled()).toBe(true);
    await context.close();
  });
});

describe('a late answer stays away from the page that is open then', () => {
  /** Types into the settings, and returns a check that the page is still the same. */
  async function editSettings(page: Page): Promise<() => Promise<void>> {
    await page.getByLabel('Name').fill('Typed elsewhere');
    return async () => {
      expect(new URL(page.url()).pathname).toMatch(/settings$/);
      expect(await page.getByLabel('Name').inputValue()).toBe('Typed elsewhere');
    };
  }

  test('of a new link', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/links/new'));
    answering(page, true);
    const { release } = await holding(page, '**/api/v1/projects/*/links', 'POST');
    await page.getByLabel('Name', { exact: false }).first().fill('Late');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('link', { name: 'Project settings' }).click();
    const expectToStay = await editSettings(page);
    release();
    await page.getByText(/^Created/).waitFor();
    await expectToStay();
    await context.close();
  });

  test('of a deletion', async () => {
    const { body } = await opened.api('post', '/links').send({ name: 'Soon deleted' }).expect(201);
    const { id } = (body as { data: Link }).data;
    const { page, context } = await opened.signedIn(opened.inProject('/settings'));
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('link', { name: 'Soon deleted' }).first().click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const { release } = await holding(page, `**/api/v1/**/links/${id}`, 'DELETE');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.goBack();
    await page.goBack();
    const expectToStay = await editSettings(page);
    const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
    release();
    await handled(page, answered);
    await expectToStay();
    await context.close();
  });

  test('of an import', async () => {
    const { page, context } = await opened.signedIn(opened.inProject('/imports/new'));
    await page.getByRole('radio', { name: 'By an API' }).focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Access token').fill('token-of-another-system');
    const { release } = await holding(page, '**/api/v1/**/imports/from-api', 'POST');
    await page.getByRole('button', { name: 'Read the list and check' }).click();
    await page.getByRole('link', { name: 'Project settings' }).click();
    const expectToStay = await editSettings(page);
    const answered = page.waitForResponse(
      (response) => response.url().includes('from-api') && response.status() === 202,
    );
    release();
    await handled(page, answered);
    await expectToStay();
    await context.close();
  });
});
