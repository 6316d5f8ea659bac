/** @needs chromium */
import { aClick, anOpenedLink, clicksOn } from '../clicks/recording/counting';
import { aDynamicLink, aShare } from '../support/builders';
import { axeFaults } from './axe-faults';
import { useConsole } from './open-console';

const opened = useConsole();
beforeAll(async () => {
  const { on, account, project } = opened;
  const { id } = await aDynamicLink(on, account.key, project.id, { name: 'Poster', custom_path: 'poster' });
  const clicks = clicksOn(on.database);
  const click = (at: number) =>
    aClick({ projectId: project.id, at, link: anOpenedLink({ id }), country: at % 3 ? 'AT' : 'DE', qr: at % 2 === 0 });
  await clicks.write(Array.from({ length: 90 }, (_, hours) => click(Date.now() - hours * 7 * 3_600_000)));
  await clicks.close();
});

/** Opens a page on the host of the test, as a reader without a session. */
async function asReader(url: string, colorScheme: 'light' | 'dark', width: number, locale = 'en') {
  const context = await opened.browser.newContext({ colorScheme, viewport: { width, height: 900 }, locale });
  const page = await context.newPage();
  await page.goto(new URL(new URL(url).pathname, opened.on.url).href);
  return { page };
}

test('three clicks share the numbers until Friday, and one ends the page', async () => {
  const tab = await opened.signedIn(opened.inProject(''), { timezoneId: 'Europe/Vienna' });
  const { page } = tab;
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share statistics' });
  expect(await dialog.getByRole('combobox', { name: 'Ends' }).inputValue()).toMatch(/^On Friday \(Fri/);
  await dialog.getByRole('button', { name: 'Create address' }).click();
  const address = dialog.getByText(/\/shared\/[\w-]{43}$/);
  await address.waitFor();
  expect(await axeFaults(tab)).toEqual([]);
  const url = (await address.textContent())!;
  const reader = await asReader(url, 'light', 390);
  await reader.page.getByRole('heading', { name: 'Clicks per day' }).waitFor();
  await dialog.getByRole('button', { name: /^End the page/ }).click();
  await page.getByRole('button', { name: 'End page', exact: true }).click();
  await dialog.getByText('Shared pages').waitFor({ state: 'detached' });
  await reader.page.reload();
  await reader.page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
});

test.each([
  ['light', 390, 'en', 'Countries'],
  ['dark', 1280, 'de-AT', 'Länder'],
] as const)('a shared page suits a %s screen of %d pixels', async (scheme, width, locale, heading) => {
  const { on, account, project } = opened;
  const { url } = await aShare(on, account.key, project.id, { password: 'river-otter' });
  const reader = await asReader(url, scheme, width, locale);
  expect(await axeFaults(reader)).toEqual([]);
  await reader.page.locator('input').fill('river-otter');
  await reader.page.keyboard.press('Enter');
  await reader.page.getByRole('heading', { name: heading }).waitFor();
  expect(await axeFaults(reader)).toEqual([]);
  expect(await reader.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});
