import { inParallel } from '../../support/in-parallel';
import { sendRequest } from '../../support/raw-http';
import { fixtureOfEach, providerFixture, serviceFixture } from '../../support/fixtures';
import { anApiKey } from '../../support/builders';
import { aClickId, aShop, counted, outcomesOf } from './visit-and-send';

const provider = providerFixture();
const on = serviceFixture(() => provider.environment);
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const shop = fixtureOfEach(() => aShop(on, account.key));

const page = 'https://shop.example.com';

async function aKey(fields: object = {}): Promise<string> {
  const origins = { publishable: true, allowed_origins: [page], project_ids: [shop.project.id] };
  const body = { name: 'Page', scopes: ['conversions:write'], ...origins, ...fields };
  return (await anApiKey(on, provider.token(account.accountId), body)).key;
}

const sendWith = (key: string, conversions: object[], origin = page) =>
  on.api('post', `/projects/${shop.project.id}/conversions`, key).set('Origin', origin).send({ items: conversions });

const outcomes = (answer: { body: unknown }) =>
  (answer.body as { data: { results: { outcome: string }[] } }).data.results.map(({ outcome }) => outcome);

test('a page sends conversions, which are counted apart', async () => {
  const [id, key] = [await aClickId(on, shop), await aKey()];
  const answer = await sendWith(key, [
    { click_id: id, event: 'purchase', value: '5', currency: 'EUR', key: 'a' },
  ]).expect(200);
  expect([outcomes(answer), answer.headers['access-control-allow-origin']]).toEqual([['counted'], page]);
  await outcomesOf(on, shop, [{ click_id: id, event: 'purchase', key: 'b' }]);
  expect((await counted(on, shop)).totals).toMatchObject({ conversions: 1, untrusted: 1, values: [] });
  const all = await counted(on, shop, '?include_untrusted=true&group_by=trusted');
  expect(all.totals).toMatchObject({ conversions: 2, untrusted: 1, values: [{ currency: 'EUR', value: '5' }] });
  expect(all.groups.map(({ value, conversions }) => [value, conversions]).sort()).toEqual([
    ['false', 1],
    ['true', 1],
  ]);
});

test('other origins, other scopes and refunds are refused', async () => {
  const [id, key] = [await aClickId(on, shop), await aKey()];
  const one = { click_id: id, event: 'e', key: 'a' };
  expect(await sendWith(key, [one], 'https://evil.example')).toBeRefusedWith('ACCESS_DENIED', { reason: 'origin' });
  expect(
    await on.api('get', `/projects/${shop.project.id}/analytics/conversions`, key).set('Origin', page),
  ).toBeRefusedWith('ACCESS_DENIED', { required_scope: 'analytics:read' });
  const links = await aKey({ scopes: ['links:create'], destination_hosts: ['*.example.com'] });
  expect(await sendWith(links, [one])).toBeRefusedWith('ACCESS_DENIED', { required_scope: 'conversions:write' });
  await outcomesOf(on, shop, [{ ...one, value: '5', currency: 'EUR' }]);
  const refund = { event: 'e', value: '-5', currency: 'EUR', key: 'a:refund' };
  expect(outcomes(await sendWith(key, [refund, { ...one, key: 'b' }]))).toEqual(['invalid', 'counted']);
});

test('a click id has at most twenty untrusted conversions, also at once', async () => {
  const [id, key] = [await aClickId(on, shop), await aKey()];
  const answers = await inParallel([...Array(10).keys()], (request) =>
    sendWith(
      key,
      Array.from({ length: 5 }, (_, at) => ({ click_id: id, event: 'e', key: `${request}-${at}` })),
    ),
  );
  const all = answers.flatMap(outcomes);
  expect(all.filter((outcome) => outcome === 'counted').length).toBeLessThanOrEqual(20);
  expect(all.filter((outcome) => outcome !== 'counted' && outcome !== 'too_many')).toEqual([]);
  expect((await counted(on, shop)).totals.untrusted).toBe(all.filter((outcome) => outcome === 'counted').length);
  expect(outcomes(await sendWith(key, [{ click_id: id, event: 'e', key: 'z' }]))).toEqual(['too_many']);
  expect(await outcomesOf(on, shop, [{ click_id: id, event: 'e', key: 'server' }])).toEqual(['counted']);
});

test('the preflight of any page is answered', async () => {
  const answer = await sendRequest(on.url, `OPTIONS /api/v1/projects/${shop.project.id}/conversions`, [
    ['Origin', page],
    ['Access-Control-Request-Method', 'POST'],
  ]);
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([204, page]);
});
