import { setImmediate as endOfTurn } from 'node:timers/promises';
import { BatchQueue } from '../../../src/platform/tables/batch-queue';
import { Tenant } from '../../../src/platform/postgres/tenant-connection-limiter';
import { withDeadline } from '../../../src/platform/postgres/request-context';

/** Builds a queue whose statements end when the test lets them. */
function aQueue() {
  const sent: { items: string[]; end: () => void }[] = [];
  const queue = new BatchQueue<string, number>(
    (items) => new Promise((resolve) => sent.push({ items, end: () => resolve(items.length) })),
    { perTenant: true, maxRunning: 1 },
  );
  const add = (account: string, item: string, group?: string) =>
    withDeadline(1000, () => queue.add(item, group), new Tenant(`account:${account}`));
  return { sent, add, items: () => sent.map(({ items }) => items) };
}

test('items of different groups never share a batch', async () => {
  const { sent, add, items } = aQueue();
  const results = [add('a', '1', 'one'), add('a', '2', 'other'), add('a', '3', 'one')];
  await endOfTurn();
  expect(items()).toEqual([['1', '3'], ['2']]);
  for (const { end } of sent) end();
  expect(await Promise.all(results)).toEqual([2, 1, 2]);
});

test('the statement of one tenant does not delay those of another', async () => {
  const { sent, add, items } = aQueue();
  const results = [add('a', '1')];
  await endOfTurn();
  results.push(add('a', '2'), add('b', '3'));
  await endOfTurn();
  expect(items()).toContainEqual(['3']);
  for (let at = 0; at < 3; at++) {
    sent[at]!.end();
    await endOfTurn();
  }
  expect(await Promise.all(results)).toEqual([1, 1, 1]);
  expect(items()).toHaveLength(3);
});
