/**
 * @needs chromium
 * @needs oidc-provider
 */
import type { Page } from 'playwright-core';
import { MembersService } from '../../src/tenancy/members/members.service';
import { openBrowser } from '../browser/open-browser';
import { aCustomDomain, aDynamicLink, anIosApp, aProject } from '../support/builders';
import { aService } from '../support/service';
import { axeFaults } from './axe-faults';
import { aTab, type Tab, useTabs } from './open-console';
import { logIn, startProvider } from './openid-provider';
import { fixture, accountFixture, projectFixture } from '../support/fixtures';

let linkId: string;
useTabs();
const provider = fixture(() => startProvider());
const on = fixture(() => aService({ ...provider.settings[0], DASHBOARD_ROLES_SOURCE: 'members' }));
const browser = fixture(() => openBrowser());
const account = accountFixture(on);
const project = projectFixture(on, account, { name: 'Shop' });
const other = projectFixture(on, account, { name: 'Blog' });
beforeAll(async () => {
  ({ id: linkId } = await aDynamicLink(on, account.key, project.id, { name: 'Sale' }));
  await aDynamicLink(on, account.key, other.id, { name: 'Post' });
  await anIosApp(on, account.key, project.id, { name: 'Shop app' });
  await aCustomDomain(on, account.key, project.id);
  const members = on.service.app.get(MembersService, { strict: false });
  for (const role of ['owner', 'admin', 'editor', 'viewer'] as const)
    await members.setRole(account.accountId, { subject: nameOf(role) }, role);
});

/** The provider signs everybody in, with the id of the account at the end of the name. */
const nameOf = (person: string): string => `${person} ${account.accountId}`;

async function signedIn(person: string): Promise<Tab> {
  const tab = await aTab(on, browser);
  const { page } = tab;
  await page.goto(`${on.url}/console/`);
  await logIn(page, nameOf(person));
  await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
  return tab;
}

type State = 'shown' | 'absent' | 'refused';

/** Returns whether a button or link is shown, absent, or disabled with a reason. */
async function stateOf(page: Page, name: string): Promise<State> {
  const found = page
    .getByRole('main')
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('main').getByRole('link', { name, exact: true }))
    .first();
  if ((await found.count()) === 0) return 'absent';
  const reason = await found.getAttribute('aria-description');
  const isDisabled = (await found.getAttribute('aria-disabled')) === 'true';
  return isDisabled && /role|access|yourself/.test(reason ?? '') ? 'refused' : 'shown';
}

const inProject = (path: string) => () => `/projects/${project.id}${path}`;

/** Buttons of pages, and the least role that may use each. */
const buttons: [page: string, path: () => string, buttons: Record<string, 'editor' | 'admin' | 'owner'>][] = [
  ['Projects', () => '/', { 'New project': 'admin' }],
  ['Links', inProject('/links'), { 'New link': 'editor', Campaign: 'editor' }],
  ['a link', () => inProject(`/links/${linkId}`)(), { Duplicate: 'editor', Delete: 'editor' }],
  ['Apps', inProject('/apps'), { 'Add an app': 'admin' }],
  ['Domains', inProject('/domains'), { 'Add the domain': 'admin', Remove: 'admin' }],
  ['Settings', inProject('/settings'), { 'Delete the project': 'admin' }],
];
const ranks = ['viewer', 'editor', 'admin', 'owner'];

describe.each(['viewer', 'editor', 'admin', 'owner'])('a person with the role %s', (role) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await signedIn(role);
  });

  /** Opens a page without a reload, which would sign in again. */
  const open = async (path: string): Promise<void> => {
    await tab.open(path);
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
  };

  test.each(buttons)('sees the buttons of %s', async (_, path, expected) => {
    await open(path());
    for (const [name, least] of Object.entries(expected)) {
      const isPermitted = ranks.indexOf(role) >= ranks.indexOf(least);
      expect([name, await stateOf(tab.page, name)]).toEqual([name, isPermitted ? 'shown' : 'refused']);
    }
    expect(await axeFaults(tab)).toEqual([]);
  });

  test('sees the pages of the account that the role may read', async () => {
    await open('/');
    const navigation = tab.page.getByRole('navigation', { name: 'Pages' }).or(tab.page.locator('#navigation')).first();
    const names = await navigation.getByRole('link').allInnerTexts();
    const isAdmin = ranks.indexOf(role) >= ranks.indexOf('admin');
    expect(['API keys', 'Members', 'Audit log'].filter((name) => names.includes(name))).toEqual(
      isAdmin ? ['API keys', 'Members', 'Audit log'] : [],
    );
    expect(names).toContain('Account');
  });

  test('may freeze the account as an owner only', async () => {
    await open('/account');
    const frozen = tab.page.getByRole('switch', { name: 'Stop all changes' });
    await frozen.waitFor();
    expect(await frozen.isDisabled()).toBe(role !== 'owner');
    expect(await stateOf(tab.page, 'Save')).toBe(role === 'owner' ? 'shown' : 'refused');
  });
});

test('a button that is refused says why, and does nothing', async () => {
  const { page } = await signedIn('viewer');
  await page.getByRole('button', { name: 'New project' }).hover();
  await page.getByRole('tooltip', { name: 'It needs the role Admin' }).waitFor();
  // The browser clicks it, although it is disabled for assistive technology.
  await page.getByRole('button', { name: 'New project' }).click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('an owner gives a person a role in one project, who then sees only that project and may edit there', async () => {
  const { page } = await signedIn('owner');
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Identifier at the provider').fill(nameOf('guest'));
  await dialog.getByLabel('Role', { exact: true }).click();
  await page.getByRole('option', { name: 'Single projects only' }).click();
  await dialog.getByLabel('Add a project').click();
  await page.getByRole('option', { name: 'Shop' }).click();
  await dialog.getByRole('combobox', { name: 'Role in Shop' }).click();
  await page.getByRole('option', { name: 'Editor' }).click();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const row = page.getByRole('row', { name: /^guest/ });
  await row.getByText('1 project role').waitFor();

  const guest = await signedIn('guest');
  await guest.page.getByRole('link', { name: 'Shop' }).waitFor();
  expect(await guest.page.getByRole('link', { name: 'Blog' }).count()).toBe(0);
  expect(await stateOf(guest.page, 'New project')).toBe('refused');
  await guest.open(`/projects/${project.id}/links`);
  expect(await stateOf(guest.page, 'New link')).toBe('shown');
  await guest.open(`/projects/${project.id}/apps`);
  expect(await stateOf(guest.page, 'Add an app')).toBe('refused');
  await guest.open(`/projects/${other.id}/links`);
  await guest.page.getByText('It needs the role Viewer').first().waitFor();

  await row.getByRole('button', { name: 'Change the roles' }).click();
  const change = page.getByRole('dialog', { name: 'Change the roles' });
  await change.getByRole('button', { name: 'Remove the role in Shop' }).click();
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'hidden' });
  await row.getByText('1 project role').waitFor({ state: 'hidden' });
});

test('an editor restores a deleted link from the bin', async () => {
  const { id } = await aDynamicLink(on, account.key, project.id, { name: 'Lost' });
  await on.api('delete', `/projects/${project.id}/links/${id}`, account.key).expect(200);
  const { page, open } = await signedIn('editor');
  await open(`/projects/${project.id}/bin`);
  const row = page.getByRole('row', { name: /Lost/ });
  await row.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await row.waitFor({ state: 'detached' });
  await on.api('get', `/projects/${project.id}/links/${id}`, account.key).expect(200);
});

test('a deletion waits for a second owner, who approves it', async () => {
  const members = on.service.app.get(MembersService, { strict: false });
  await members.setRole(account.accountId, { subject: nameOf('second') }, 'owner');
  const { id } = await aProject(on, account.key, { name: 'Old' });
  const second = await signedIn('second');
  const { page, open } = await signedIn('owner');
  await open('/account');
  await page.getByRole('switch', { name: 'Require a second person' }).click();
  await page.getByRole('switch', { name: 'Require a second person', checked: true }).waitFor();
  await open(`/projects/${id}/settings`);
  await page.getByRole('button', { name: 'Delete the project' }).click();
  const dialog = page.getByRole('dialog');
  const { body } = await on.api('get', `/projects/${id}`, account.key).expect(200);
  await dialog.getByRole('textbox').fill(body.data.subdomain);
  await dialog.getByRole('button', { name: 'Delete the project' }).click();
  await dialog.getByText('Another person must approve this.').waitFor();
  await open('/approvals');
  expect(await stateOf(page, 'Approve')).toBe('refused');

  await second.open('/approvals');
  const row = second.page.getByRole('row', { name: /Delete a project/ });
  await row.getByText('Old').waitFor();
  await row.getByRole('button', { name: 'Approve' }).click();
  await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await row.getByText('Approved').waitFor();
  await on.api('get', `/projects/${id}`, account.key).expect(404);
  expect(await axeFaults(second)).toEqual([]);
});
