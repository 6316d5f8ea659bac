import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../support/ask';
import { Cluster } from '../support/cluster';
import { eventually } from '../support/eventually';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { scaled } from '../support/scale';

// A shop that repeats requests without an answer, while the service is killed. A tenth of the conversions are repeated anyway.
jest.setTimeout(3_600_000);

const conversions = Number(process.env['KILLED_CONVERSIONS'] ?? scaled(100_000));
const perRequest = 100;
const kills = 5;
const clients = 8;

let cluster: Cluster;
let service: Program;
let key: string;
let project: string;
let ids: string[];

/** Sends a request until a service answers it. */
async function ask(path: string, options: Parameters<Program['ask']>[1]): Promise<Answer> {
  for (;;) {
    const answer = await service.ask(path, options);
    if (answer.status !== 0 && answer.status !== 503) return answer;
    await delay(20);
  }
}

const environment = () => ({ DATABASE_URL: cluster.url, RATE_LIMIT_PER_MINUTE: '10000000' });

beforeAll(async () => {
  cluster = await Cluster.create();
  service = await Program.serving(environment());
  key = (await anAccountByShell({ DATABASE_URL: cluster.url }, 'enterprise')).api_key.key;
  const post = async (path: string, body: object) =>
    String((await service.ask(`/api/v1/projects${path}`, { method: 'POST', key, body })).json.data['id']);
  project = await post('', { name: 'Shop', subdomain: 'shop', conversions: true });
  const paths = ['a', 'b', 'c'];
  for (const path of paths)
    await post(`/${project}/links`, { name: path, custom_path: path, desktop_url: 'https://shop.example.com/' });
  ids = [];
  for (let visit = 0; visit < 30; visit++) {
    const { headers } = await service.ask(`/${paths[visit % 3]}`, { headers: { Host: 'shop.localhost' } });
    ids.push(new URL(headers.location!).searchParams.get('click_id')!);
  }
  await eventually(async () => (await cluster.query('SELECT FROM click_ids')).length === ids.length);
});
afterAll(async () => {
  await endAllPrograms();
  await cluster.remove();
});

/** Every seventh conversion has a refund. Cents differ, so that a lost or repeated one changes the sum. */
const rowsOf = (number: number): object[] => {
  const currency = number % 2 ? 'EUR' : 'USD';
  const sale = {
    click_id: ids[number % ids.length],
    event: number % 3 ? 'purchase' : 'booking',
    value: `${Math.floor(number / 100)}.${String(number % 100).padStart(2, '0')}`,
    currency,
    key: `order-${number}`,
  };
  const refund = { event: 'refund', value: '-0.01', currency, key: `order-${number}:refund` };
  return number % 7 === 0 ? [sale, refund] : [sale];
};

test('sums are exact, although the service is killed and a tenth of the conversions repeat', async () => {
  const numbers = Array.from({ length: conversions }, (_, at) => at + 1);
  const sent = [...numbers, ...numbers.filter((number) => number % 10 === 0)];
  // A refund is in the request of its sale, because requests arrive in any order.
  const batches = Array.from({ length: Math.ceil(sent.length / perRequest) }, (_, at) =>
    sent.slice(at * perRequest, (at + 1) * perRequest).flatMap(rowsOf),
  );
  const all = batches.length;
  const outcomes = new Map<string, number>();
  const client = async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const body = { items: batch };
      const answer = await ask(`/api/v1/projects/${project}/conversions`, { method: 'POST', key, body });
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      for (const { outcome } of (answer.json.data as unknown as { results: { outcome: string }[] }).results)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const working = Promise.all(Array.from({ length: clients }, client));
  for (let killed = 1; killed <= kills; killed++) {
    while (batches.length > all - (killed * all) / (kills + 1)) await delay(2);
    await service.kill();
    service = await Program.serving(environment());
  }
  await working;
  const cents = (currency: string) =>
    numbers
      .filter((number) => (number % 2 ? 'EUR' : 'USD') === currency)
      .reduce((sum, number) => sum + BigInt(number) - (number % 7 === 0 ? 1n : 0n), 0n);
  const decimal = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;
  const path = `/api/v1/projects/${project}/analytics/conversions?group_by=link`;
  const { totals, groups } = (await ask(path, { key })).json.data as unknown as {
    totals: { conversions: number; refunds: number; values: { currency: string; value: string }[] };
    groups: { conversions: number }[];
  };
  expect(totals.conversions).toBe(conversions);
  expect(totals.refunds).toBe(Math.floor(conversions / 7));
  expect(Object.fromEntries(totals.values.map(({ currency, value }) => [currency, value]))).toEqual({
    EUR: decimal(cents('EUR')),
    USD: decimal(cents('USD')),
  });
  expect(groups.reduce((sum, group) => sum + group.conversions, 0)).toBe(conversions);
  expect([...outcomes.keys()].filter((outcome) => outcome !== 'counted' && outcome !== 'repeated')).toEqual([]);
});
