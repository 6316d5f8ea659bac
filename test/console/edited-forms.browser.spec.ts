/** @needs chromium */
import type { Page } from 'playwright-core';
import { type Tab, useConsole } from './open-console';

const opened = useConsole();

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

describe('the form of a link', () => {
  test('shows a newer version, and asks only if its own changes differ', async () => {
    const { page, link } = await openLink('gift');
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
  });

  test('saves only the own changes over those of somebody else', async () => {
    const { page, link, now } = await openLink('feedback');
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
  });
});

describe('changes that are not saved', () => {
  const leave = 'Leave the page? Your changes are not saved.';

  test('of a new link are lost after a question only', async () => {
    const { page } = await opened.signedIn(opened.inProject('/links/new'));
    const asked = answering(page, false);
    await page.getByLabel('Name', { exact: false }).first().fill('Draft');
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    expect(await page.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Draft');
    expect(asked).toEqual([leave]);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('heading', { name: 'Draft' }).waitFor();
    expect(asked).toEqual([leave]);
  });

  test('are lost by a sign-out after a question only', async () => {
    const { page } = await opened.signedIn(opened.inProject('/links/new'));
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
  });
});

test('a template is closed after a question only, and a change of somebody else is shown', async () => {
  const { page } = await opened.signedIn(opened.inProject('/templates'));
  const fields = { name: 'Mails', referrer_params: { utm_source: 'mails' } };
  const template = await opened.create('/link-templates', fields);
  await page.reload();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Mails' });
  await dialog.getByLabel('Value of parameter 1').fill('mine');
  const asked = answering(page, false);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(asked).toEqual(Array(2).fill('Close this? Your changes are not saved.'));
  const theirs = { referrer_params: { utm_source: 'theirs' }, rules: [{ when: {}, then: { app: true } }] };
  await opened.api('put', `/link-templates/${template.id}`).send(theirs).expect(200);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('Parameters: utm_source=theirs').waitFor();
  await dialog.getByText('Changes of others in other fields stay: Rules').waitFor();
  await dialog.getByRole('button', { name: 'Save mine' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await opened.list('/link-templates')).toMatchObject([{ ...theirs, referrer_params: { utm_source: 'mine' } }]);
});
