/** @needs chromium */
import { useConsole } from './open-console';

const opened = useConsole();
let linkId: string;
beforeAll(async () => {
  const [link] = await opened.list<{ id: string }>('/links?search=winter-sale');
  linkId = link!.id;
});

const inProject = (path: string) => () => opened.inProject(path);
const ofLink = (search: string) => () => opened.inProject(`/links/${linkId}${search}`);

test.each<[address: string, path: () => string, shown: string]>([
  ['an unknown period', inProject('?range=bogus'), 'Clicks over time'],
  ['an unknown time zone', inProject('?timezone=Mars/X'), 'Clicks over time'],
  ['a former name of a time zone', inProject('?timezone=Europe/Kiev'), 'Clicks over time'],
  ['parameters of a campaign', inProject('/links?utm_source=mail'), 'Poster at the main station'],
  ['an unknown page and size', inProject('/links?page=abc&limit=7'), 'Poster at the main station'],
  ['an unknown state', inProject('/links?archived=weird'), 'Poster at the main station'],
  ['an unknown order', inProject('/links?sortBy=clicks'), 'Poster at the main station'],
  ['an unknown page of projects', () => '/?page=abc', 'Demo'],
  ['an unknown tab of a link', ofLink('?tab=bogus'), 'What visitors get'],
  ['an unknown period of a link', ofLink('?tab=clicks&range=bogus'), 'Clicks over time'],
  ['an unknown system of an import', inProject('/imports/new?api=bogus'), 'Where do the links come from?'],
])('an address with %s shows its page', async (_, path, shown) => {
  const { page, log } = await opened.signedIn(path());
  await page.getByText(shown).first().waitFor();
  expect(log.problems).toEqual([]);
});
