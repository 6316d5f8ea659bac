/** @needs chromium */
import { readFileSync } from 'node:fs';
import { aDynamicLink } from '../support/builders';
import { aClick, anOpenedLink, clicksOn } from '../clicks/recording/counting';
import { axeFaults } from './axe-faults';
import { type Tab, useConsole } from './open-console';

const timezoneId = 'Europe/Vienna';

const opened = useConsole();
let posters: string[];

/** The fifteenth of the calendar month before this one, at noon. */
const lastMonth = (): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12);
};

beforeAll(async () => {
  const { on, account, project } = opened;
  posters = [];
  for (const name of ['North', 'South', 'West']) {
    posters.push((await aDynamicLink(on, account.key, project.id, { name })).id);
  }
  const [north, south, west] = posters.map((id) => anOpenedLink({ id }));
  const iphone = { platform: 'ios', browser: 'Safari', robot: false };
  const clicks = clicksOn(on.database);
  type Click = Parameters<typeof aClick>[0];
  const many = (count: number, click: Partial<Click> & Pick<Click, 'link'>) =>
    Array.from({ length: count }, (_, at) => aClick({ projectId: project.id, at: lastMonth() + at, ...click }));
  const yesterday = Date.now() - 24 * 60 * 60_000;
  await clicks.write([
    ...many(7, { link: north!, country: 'AT', client: iphone }),
    ...many(5, { link: north!, country: 'AT' }),
    ...many(3, { link: south!, country: 'DE', client: iphone }),
    ...many(11, { link: north!, at: yesterday, qr: true }),
    ...many(400, { link: south!, at: yesterday }),
    ...many(13, { link: west!, at: yesterday }),
  ]);
  await clicks.close();
});

async function overview(query = ''): Promise<Tab> {
  const tab = await opened.signedIn(opened.inProject(query), { timezoneId });
  await tab.page.getByRole('heading', { name: 'Clicks over time' }).waitFor();
  return tab;
}

/** Returns the clicks of the last calendar month, as the API counts them. */
async function clicksOfLastMonth(query: string): Promise<number> {
  const day = (months: number) => {
    const date = new Date(lastMonth());
    return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString().slice(0, 10);
  };
  // The zone of the browser is ahead of UTC by an hour or two, and its hours are those of the demo's clicks too.
  const edges = [day(0), day(1)].map((date) => new Date(Date.parse(date) - offsetMs(date)).toISOString());
  const { body } = await opened.api('get', `/analytics?from=${edges[0]}&to=${edges[1]}&${query}`).expect(200);
  return body.data.totals.clicks;
}

/** Returns how far the clocks of the browser are ahead of UTC at midnight. */
function offsetMs(date: string): number {
  const hour = new Intl.DateTimeFormat('en', { timeZone: timezoneId, hour: 'numeric', hourCycle: 'h23' });
  return Number(hour.format(new Date(date))) * 60 * 60_000;
}

test('iPhone clicks from Austria in the last calendar month', async () => {
  const [all, ofAustria, onIphones] = [
    await clicksOfLastMonth(''),
    await clicksOfLastMonth('country=AT'),
    await clicksOfLastMonth('country=AT&platform=ios'),
  ];
  expect(onIphones).toBeGreaterThanOrEqual(7);
  const tab = await overview();
  const { page } = tab;
  const chartOf = (clicks: number) =>
    page.getByRole('img', { name: `Chart with ${clicks.toLocaleString('en-GB')} clicks` }).waitFor();
  await page.getByText('Last month', { exact: true }).click();
  await page.getByRole('button', { name: 'Only Austria' }).click();
  await page.getByRole('tab', { name: 'Platforms' }).click();
  await page.getByRole('button', { name: 'Only iOS' }).click();
  await chartOf(onIphones);
  const search = decodeURIComponent(new URL(page.url()).search);
  for (const part of ['range=last-month', '"country":["AT"]', '"platform":["ios"]']) expect(search).toContain(part);
  expect(await axeFaults(tab)).toEqual([]);

  // The address has everything, so that the page can be passed on.
  await page.reload();
  await chartOf(onIphones);
  await page.getByRole('button', { name: 'Remove filter Platform: iOS' }).click();
  await chartOf(ofAustria);
  await page.getByRole('button', { name: 'Remove filter Country: Austria' }).click();
  await chartOf(all);
});

test('several links are lines of one chart, which can be saved and copied', async () => {
  const filters = encodeURIComponent(JSON.stringify({ link_id: posters.slice(0, 2) }));
  const tab = await overview(`?filters=${filters}&split=link`);
  const { page, context } = tab;
  const section = page.getByRole('region', { name: 'Clicks over time' });
  await section.getByText('South', { exact: true }).waitFor();
  expect(await section.getByText('West', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove filter Link: North' }).waitFor();
  await page.getByRole('button', { name: 'Picture of the chart' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as PNG' }).click();
  const picture = readFileSync(await (await saved).path());
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.length).toBeGreaterThan(5000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Picture of the chart' }).click();
  await page.getByRole('menuitem', { name: 'Copy as picture' }).click();
  await page.getByText('The chart is copied').waitFor();
});

test('single clicks are listed with the filters of the page', async () => {
  const filters = encodeURIComponent(JSON.stringify({ country: ['AT'], platform: ['ios'] }));
  const tab = await overview(`?range=last-month&filters=${filters}`);
  const { page } = tab;
  const section = page.getByRole('region', { name: 'Single clicks' }).first();
  await section.getByRole('button', { name: 'Show' }).click();
  await section.getByRole('cell', { name: 'Austria' }).first().waitFor();
  const rows = await clicksOfLastMonth('country=AT&platform=ios');
  expect(await section.getByRole('cell', { name: 'Austria' }).count()).toBe(Math.min(rows, 25));
  expect(await axeFaults(tab)).toEqual([]);
});
