import { randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { androidToken, claim, aCampaign, type Campaign, iosToken } from '../../link-traffic/deferred-links/claim-link';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';
import { counted, outcomesOf, storedIds } from './visit-and-send';

let on: TestService;
let campaign: Campaign;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());
beforeEach(async () => {
  campaign = await aCampaign(on, { conversions: true, external_id: 'inviter-7' });
});

const anId = () => randomBytes(16).toString('base64url');

interface AppAnswer {
  click_id: string | null;
  external_id: string | null;
  destination?: string;
}

const dataOf = ({ body }: { body: unknown }): AppAnswer => (body as { data: AppAnswer }).data;

async function open({ project, link }: Campaign, openId = anId()): Promise<AppAnswer> {
  const url = `https://${project.subdomain}.localhost/${link.custom_path}`;
  const answer = await supertest(on.url)
    .post('/links/open')
    .set({ Host: `${project.subdomain}.localhost` })
    .send({ url, app: { package_name: 'com.example.shop', version: '1' }, open_id: openId })
    .expect(200);
  return dataOf(answer);
}

const stored = (count: number) => eventually(async () => (await storedIds(on, campaign.project.id)) === count);

test('a claim tells who invited, and its conversion counts for the link of the inviter', async () => {
  const token = await iosToken(on, campaign);
  const claimId = anId();
  const first = dataOf(await claim(on, campaign.project.subdomain, token, {}, claimId).expect(200));
  expect(first).toMatchObject({ external_id: 'inviter-7', click_id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/) });
  expect(dataOf(await claim(on, campaign.project.subdomain, token, {}, claimId).expect(200)).click_id).toBe(
    first.click_id,
  );
  expect(await storedIds(on, campaign.project.id)).toBe(1);
  expect(await outcomesOf(on, campaign, [{ click_id: first.click_id, event: 'signup', key: 'user-1' }])).toEqual([
    'counted',
  ]);
  const { groups, totals } = await counted(on, campaign, '?group_by=link');
  expect(groups).toMatchObject([{ value: campaign.link.id, conversions: 1 }]);
  expect(totals).toMatchObject({ claims: 1, conversions: 1 });
  expect((await counted(on, campaign, '?group_by=platform')).groups).toMatchObject([{ value: 'ios' }]);
});

test('a claim on Android has one too', async () => {
  const token = await androidToken(on, campaign);
  expect(dataOf(await claim(on, campaign.project.subdomain, token).expect(200)).click_id).not.toBeNull();
});

test('an open gets one in its answer and destination, the same for the same open', async () => {
  const openId = anId();
  const first = await open(campaign, openId);
  expect(first.destination).toBe(`https://example.com/desktop?click_id=${first.click_id}`);
  expect((await open(campaign, openId)).click_id).toBe(first.click_id);
  expect((await open(campaign)).click_id).not.toBe(first.click_id);
  await stored(2);
  expect(await outcomesOf(on, campaign, [{ click_id: first.click_id, event: 'e', key: 'a' }])).toEqual(['counted']);
  expect((await counted(on, campaign)).totals.opens).toBe(2);
});

test('a link without conversions gives apps none', async () => {
  campaign = await aCampaign(on);
  const token = await iosToken(on, campaign);
  expect(dataOf(await claim(on, campaign.project.subdomain, token).expect(200)).click_id).toBeNull();
  expect(await open(campaign)).toMatchObject({ click_id: null, destination: 'https://example.com/desktop' });
  expect(await storedIds(on, campaign.project.id)).toBe(0);
});

test('“Continue” of the page in an in-app browser has a new one for each visit', async () => {
  campaign = await aCampaign(on, { conversions: true, android_fallback_url: 'https://shop.example.com/android' });
  const inApp =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.0';
  const ids = async () => {
    const { text } = await on.visit(campaign.project.subdomain, '/summer', { 'User-Agent': inApp }).expect(200);
    return [...new Set([...text.matchAll(/android\?click_id=([A-Za-z0-9_-]{22})/g)].map(([, id]) => id))];
  };
  const [first, second] = [await ids(), await ids()];
  expect([first.length, second.length, first[0] === second[0]]).toEqual([1, 1, false]);
});
