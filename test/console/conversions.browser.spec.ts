/** @needs chromium */
import { aDynamicLink, type LinkBody } from '../support/builders';
import { aClickId, outcomesOf, type Shop } from '../clicks/conversions/visit-and-send';
import { aConsole, type Console, type Tab } from './open-console';

let opened: Console;
let sold: LinkBody;
let other: LinkBody;
beforeAll(async () => {
  opened = await aConsole();
  const { on, account, project } = opened;
  const fields = { conversions: true, desktop_url: 'https://shop.example.com/' };
  sold = await aDynamicLink(on, account.key, project.id, { name: 'Sold', ...fields });
  other = await aDynamicLink(on, account.key, project.id, { name: 'Other', ...fields });
  const shop = { key: account.key, project, link: sold } as unknown as Shop;
  const [id] = [await aClickId(on, shop), await aClickId(on, { ...shop, link: other })];
  const sale = { click_id: id, event: 'purchase', value: '19.90', currency: 'EUR' };
  const sent = [
    { ...sale, key: 'a' },
    { ...sale, key: 'b' },
    { ...sale, value: '-5.00', key: 'a:refund' },
    { click_id: id, event: 'signup', key: 'c' },
  ];
  expect(new Set(await outcomesOf(on, shop, sent))).toEqual(new Set(['counted']));
});
afterAll(() => opened?.stop());

const funnel = ({ page }: Tab, title = 'From click to conversion') =>
  page.locator('.card', { has: page.getByRole('heading', { name: title }) }).getByRole('listitem');

test('the overview shows the way from clicks to events, with values', async () => {
  const tab = await opened.signedIn(opened.inProject(''));
  await funnel(tab).first().waitFor();
  const steps = await funnel(tab).allInnerTexts();
  const names = steps.map((step) => step.split('\n')[0]);
  expect([names[0], ...names.slice(-2)]).toEqual(['Clicks', 'purchase', 'signup']);
  expect(steps.find((step) => step.startsWith('purchase'))).toMatch(/€34\.80.*Refunds: 1.*2/s);
});

test('the page of a link has its own, and a link without conversions none', async () => {
  const clicks = (id: string) => opened.inProject(`/links/${id}?tab=clicks`);
  const tab = await opened.signedIn(clicks(sold.id));
  await funnel(tab).first().waitFor();
  expect(await funnel(tab).count()).toBe(3);
  await tab.open(clicks(other.id));
  await tab.page.getByRole('heading', { name: 'Clicks over time' }).waitFor();
  expect(await funnel(tab).count()).toBe(0);
});

test('it is in German too', async () => {
  const tab = await opened.signedIn(opened.inProject(''), { locale: 'de-DE' });
  await funnel(tab, 'Vom Klick zur Konversion').first().waitFor();
  expect((await funnel(tab, 'Vom Klick zur Konversion').allInnerTexts()).join()).toMatch(/34,80\s€/);
});
