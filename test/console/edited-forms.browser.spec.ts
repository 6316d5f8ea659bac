/** @needs chromium */
import type { Page } from 'playwright-core';
import { save, saveButton, useConsole } from './open-console';

const opened = useConsole();

interface Link {
  id: string;
  name: string;
  social_title: string | null;
  notes: string | null;
}

const conflict = (page: Page) => page.getByText('Somebody else changed this');
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
    const { page, link } = await opened.openLink<Link>('gift');
    await page.getByLabel('Notes').waitFor();
    /** Changes the state of the link in the list, and returns to its page. */
    const changeState = async (action: string): Promise<void> => {
      await page.getByRole('link', { name: 'Links', exact: true }).click();
      await page.getByRole('checkbox', { name: `Select ${link.name}` }).check();
      await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'State' }).click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByText(`1 link ${action.toLowerCase()}d`).waitFor();
      await page.getByRole('link', { name: link.name }).first().click();
    };
    await changeState('Disable');
    await page.getByLabel('Notes').waitFor();
    await page.locator('input:checked').and(page.getByLabel('Disabled')).waitFor();
    expect(await saveButton(page).isDisabled()).toBe(true);
    await page.getByLabel('Notes').fill('After the own change');
    await save(page);
    expect(await conflict(page).count()).toBe(0);

    // The page is entered with a change, which the newer version is compared with.
    await page.route(`**/links/${link.id}`, async (route) => {
      if (route.request().method() === 'GET') await page.getByText('Unsaved changes').waitFor();
      return route.fallback();
    });
    await changeState('Enable');
    await page.getByLabel('Notes').fill('Typed too early');
    await conflict(page).waitFor();
    expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(0);
    await page.getByText('Changes of others in other fields stay: Disabled').waitFor();
    await page.getByRole('button', { name: 'Load the current state' }).click();
    expect(await page.getByLabel('Notes').inputValue()).toBe('After the own change');
    expect(await page.getByLabel('Disabled').isChecked()).toBe(false);
  });

  test('saves only the own changes over those of somebody else', async () => {
    const { page, link, now } = await opened.openLink<Link>('feedback');
    await page.getByLabel('Notes').fill('Mine');
    await page.getByLabel('Title of the card').fill('Mine too');
    const theirs = { notes: 'Theirs', name: 'Feedback of others', tags: ['theirs'] };
    await opened.api('put', `/links/${link.id}`).send(theirs).expect(200);
    await saveButton(page).click();
    await conflict(page).waitFor();
    const alert = page.getByRole('alert').filter({ has: conflict(page) });
    expect(await alert.getByRole('listitem').allTextContents()).toEqual(['Notes: Theirs']);
    await alert.getByText('Changes of others in other fields stay: Name and Tags').waitFor();
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
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
    const name = page.getByLabel('Name', { exact: false }).first();
    await name.fill('Draft');
    for (const isAccepted of [false, true]) {
      const asked = answering(page, isAccepted);
      await page.getByRole('button', { name: 'Colours, language and sign-out' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      expect(asked).toEqual([leave]);
      if (!isAccepted) expect(await name.inputValue()).toBe('Draft');
    }
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
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
