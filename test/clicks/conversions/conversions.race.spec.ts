import { rounds } from '../../support/scale';
import { serviceFixture, accountFixture } from '../../support/fixtures';
import { aClickId, aShop, counted, outcomesOf, type Shop } from './visit-and-send';

const on = serviceFixture();
const account = accountFixture(on);

const isCounted = (outcome: string) => outcome === 'counted';

async function aVisitedShop(): Promise<{ shop: Shop; id: string }> {
  const shop = await aShop(on, account.key);
  return { shop, id: await aClickId(on, shop) };
}

test.each(rounds(20))('parallel requests with the same keys in any order count each key once (round %d)', async () => {
  const { shop, id } = await aVisitedShop();
  const sale = { click_id: id, event: 'purchase', value: '0.01', currency: 'EUR' };
  const sales = Array.from({ length: 50 }, (_, at) => ({ ...sale, key: `order-${(at * 7) % 50}` }));
  const orders = [sales, sales.toReversed(), [...sales.slice(25), ...sales.slice(0, 25)]];
  const outcomes = await Promise.all(Array.from({ length: 12 }, (_, at) => outcomesOf(on, shop, orders[at % 3]!)));
  expect(outcomes.flat().filter(isCounted)).toHaveLength(50);
  expect(new Set(outcomes.flat())).toEqual(new Set(['counted', 'repeated']));
  const values = [{ currency: 'EUR', value: '0.50' }];
  expect((await counted(on, shop)).totals).toMatchObject({ conversions: 50, values });
});

test.each(rounds(20))('a refund counts once, beside its sale or after it (round %d)', async () => {
  const { shop, id } = await aVisitedShop();
  const sale = { click_id: id, event: 'purchase', value: '10', currency: 'EUR', key: 'a' };
  const refund = { event: 'purchase', value: '-10', currency: 'EUR', key: 'a:refund' };
  const bodies = [[sale, refund], [refund, sale], [sale], [refund]];
  const outcomes = await Promise.all([...bodies, ...bodies].map((body) => outcomesOf(on, shop, body)));
  expect(outcomes.flat().filter(isCounted)).toHaveLength(2);
  const values = [{ currency: 'EUR', value: '0' }];
  expect((await counted(on, shop)).totals).toMatchObject({ conversions: 1, refunds: 1, values });
});

test.each(rounds(10))('a project that is deleted meanwhile keeps no conversions (round %d)', async () => {
  const { shop, id } = await aVisitedShop();
  const path = `/projects/${shop.project.id}`;
  const send = (at: number) =>
    on.api('post', `${path}/conversions`, account.key).send({ items: [{ click_id: id, event: 'e', key: `${at}` }] });
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, (_, at) => send(at)),
    on.api('delete', path, account.key),
    ...Array.from({ length: 8 }, (_, at) => send(at + 8)),
  ]);
  for (const { status } of answers) expect([200, 404]).toContain(status);
  for (let left = 1; left > 0;) {
    await on.database.query('SELECT purge_deleted_project($1, 100)', [shop.project.id]);
    [{ left }] = (await on.database.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM projects WHERE id = $1',
      [shop.project.id],
    )) as [{ left: number }];
  }
  expect(await on.database.query('SELECT FROM conversions WHERE project_id = $1', [shop.project.id])).toEqual([]);
});
