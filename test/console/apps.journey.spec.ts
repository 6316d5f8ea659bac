/** @needs chromium */
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';

const opened = useConsole(() => ({ LINK_BASE_URL: 'https://go.example.com', API_BASE_URL: 'https://api.example.net' }));

test('an iOS app is created, with errors at their fields, and its lines can be copied', async () => {
  const { page, context, log } = await opened.signedIn(opened.inProject('/apps'));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Add an app' }).click();
  await page.getByRole('menuitem', { name: 'iOS app' }).click();
  const drawer = page.getByRole('dialog', { name: 'New iOS app', exact: true });
  await drawer.getByLabel('Name').fill('Orchard');
  await drawer.getByLabel('Bundle identifier', { exact: false }).first().fill('com.example.alpine');
  await drawer.getByLabel('Team ID').fill('short');
  expect(await axeFaults({ page })).toEqual([]);
  await drawer.getByRole('button', { name: 'Add an app' }).click();
  await drawer.getByText('Please correct the marked fields').waitFor();
  expect(await drawer.getByLabel('Team ID').getAttribute('aria-invalid')).toBe('true');
  await drawer.getByLabel('Team ID').fill('Z9Y8X7W6V5');
  await drawer.getByRole('button', { name: 'Add an app' }).click();
  // Another app of the project has the identifier.
  await drawer.locator('[aria-invalid=true]').and(page.getByLabel('Bundle identifier')).waitFor();
  await drawer.getByLabel('Bundle identifier', { exact: false }).first().fill('com.example.orchard');
  await drawer.getByRole('button', { name: 'Add an app' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByText('Z9Y8X7W6V5.com.example.orchard').waitFor();

  await page.getByRole('tab', { name: 'Xcode' }).click();
  await page.getByRole('button', { name: 'Copy: Associated domain of the app' }).first().click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('applinks:demo.go.example.com');
  await page.getByRole('tab', { name: 'Android' }).click();
  await page.getByText('<data android:scheme="https" android:host="demo.go.example.com" />').waitFor();
  await page.getByRole('row', { name: 'demo.go.example.com Subdomain Used in links' }).waitFor();
  expect(log.problems.filter((problem) => !/4(09|22|00)/.test(problem))).toEqual([]);
});
