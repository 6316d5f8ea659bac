/** @needs chromium */
import { axeFaults } from './axe-faults';
import { aConsole, type Console, type Tab } from './open-console';

jest.setTimeout(180_000);

let opened: Console;
let linkId: string;
beforeAll(async () => {
  opened = await aConsole();
  const { body } = await opened.on.api(
    'get',
    `/projects/${opened.project.id}/links?search=winter-sale`,
    opened.account.key,
  );
  linkId = (body as { data: { id: string }[] }).data[0]!.id;
});
afterAll(() => opened?.stop());

const inProject = (path: string) => () => `/projects/${opened.project.id}${path}`;
const ofLink = (tab: string) => () => inProject(`/links/${linkId}${tab}`)();

const pages: [name: string, path: () => string, shown: string][] = [
  ['Projects', () => '/', 'Demo'],
  ['Overview', inProject(''), 'Clicks over time'],
  ['Links', inProject('/links'), 'Poster at the main station'],
  ['New link', inProject('/links/new'), 'Web page'],
  ['a link', ofLink(''), 'What visitors get'],
  ['QR code', ofLink('?tab=qr'), 'Error correction'],
  ['Short links', ofLink('?tab=short-links'), '/winter'],
  ['Clicks of a link', ofLink('?tab=clicks'), 'Clicks over time'],
  ['Apps', inProject('/apps'), 'com.example.alpine'],
  ['Domains', inProject('/domains'), 'Former subdomains'],
  ['Project settings', inProject('/settings'), 'Delete the project'],
  ['API keys', () => '/api-keys', 'Keys belong to people'],
  ['Account', () => '/account', 'of 10,000'],
];

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await opened.signedIn('/', { colorScheme });
  });
  afterAll(() => tab?.context.close());

  test.each(pages)('the page %s has no fault of accessibility, and breaks no policy', async (_, path, shown) => {
    await tab.open(path());
    await tab.page.getByText(shown).first().waitFor();
    expect(await axeFaults(tab)).toEqual([]);
    expect(tab.log.problems).toEqual([]);
  });
});

test.each(pages)('the page %s makes at most five requests, and none twice', async (_, path, shown) => {
  const tab = await opened.signedIn();
  await tab.open(path());
  await tab.page.getByText(shown).first().waitFor();
  const requests = tab.takeRequests();
  expect(requests.length).toBeLessThanOrEqual(5);
  expect(new Set(requests).size).toBe(requests.length);
  expect(tab.log.takeOrigins()).toEqual([opened.on.url]);
  await tab.context.close();
});

test.each([320, 390, 3840])('no page is wider than a screen of %d pixels', async (width) => {
  const tab = await opened.signedIn('/', { viewport: { width, height: 800 } });
  for (const [name, path, shown] of pages) {
    await tab.open(path());
    await tab.page.getByText(shown).first().waitFor();
    const overflow = await tab.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect([name, Math.max(0, overflow)]).toEqual([name, 0]);
  }
  await tab.context.close();
});
