/** @needs chromium */
import { aDynamicLink, type LinkBody } from '../support/builders';
import { aClickId, outcomesOf, type Shop } from '../clicks/conversions/visit-and-send';
import { axeFaults } from './axe-faults';
import { type Tab, useConsole } from './open-console';

const opened = useConsole();
let sold: LinkBody;
let other: LinkBody;
beforeAll(async () => {
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

const funnel = ({ page }: Tab) =>
  page.locator('.card', { has: page.getByRole('heading', { name: 'From click to conversion' }) }).getByRole('listitem');

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

test('a link is split between two pages, and the page of its clicks has their numbers', async () => {
  const tab = await opened.signedIn(opened.inProject(`/links/${other.id}`));
  const { page } = tab;
  await page.getByRole('button', { name: 'Add variant' }).click();
  await page.getByLabel('Destination of variant 2').fill('https://shop.example.com/b');
  await page.getByLabel('Weight of variant 2, 0 to 100').fill('0');
  await page.getByText('ended', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const shop = { key: opened.account.key, project: opened.project, link: other } as unknown as Shop;
  const sale = { event: 'purchase', value: '1', currency: 'EUR', key: 'split' };
  await outcomesOf(opened.on, shop, [{ ...sale, click_id: await aClickId(opened.on, shop) }]);
  await tab.open(opened.inProject(`/links/${other.id}?tab=clicks`));
  const row = page.getByRole('row', { name: /^A / });
  await row.waitFor();
  expect((await row.innerText()).split(/\s+/).slice(-4, -1)).not.toContain('–');
  expect(await axeFaults(tab)).toEqual([]);
});
