import { setImmediate as endOfTurn } from 'node:timers/promises';
import { BatchLoader } from '../../../src/platform/tables/batch-loader';
import { Tenant } from '../../../src/platform/postgres/tenant-connection-limiter';
import { currentTenant, timeLeft, withDeadline } from '../../../src/platform/postgres/request-context';

function aLoader() {
  const batches: { ids: string[]; timeLeftMs: number }[] = [];
  const loader = new BatchLoader((ids) => {
    batches.push({ ids, timeLeftMs: timeLeft() });
    return Promise.resolve(new Map(ids.filter((id) => id !== 'absent').map((id) => [id, id.toUpperCase()])));
  });
  return { batches, loader };
}

test('look-ups of one turn share a batch, and the next turn has its own', async () => {
  const { batches, loader } = aLoader();
  expect(await Promise.all(['a', 'b', 'a', 'absent'].map((id) => loader.find(id)))).toEqual(['A', 'B', 'A', null]);
  expect(await loader.find('a')).toBe('A');
  expect(batches.map(({ ids }) => ids)).toEqual([['a', 'b', 'absent'], ['a']]);
});

test('a batch has the shortest deadline of its look-ups', async () => {
  const { batches, loader } = aLoader();
  await Promise.all([withDeadline(60_000, () => loader.find('a')), withDeadline(10_000, () => loader.find('b'))]);
  expect(batches).toHaveLength(1);
  expect(batches[0]!.timeLeftMs).toBeGreaterThan(0);
  expect(batches[0]!.timeLeftMs).toBeLessThanOrEqual(10_000);
});

describe('with one query at a time', () => {
  const slowQueryMs = 5;
  // Turns of the event loop stay real.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  /** Builds a loader whose queries end when the test lets them. */
  function aSlowLoader() {
    const queries: { ids: string[]; end: () => void; fail: (error: Error) => void }[] = [];
    const loader = new BatchLoader<string>(
      (ids) =>
        new Promise((resolve, reject) => {
          queries.push({ ids, end: () => resolve(new Map(ids.map((id) => [id, id.toUpperCase()]))), fail: reject });
        }),
      { maxRunning: 1 },
    );
    return { queries, loader };
  }
  const idsOf = (queries: { ids: string[] }[]) => queries.map(({ ids }) => ids);

  test('look-ups during a query share the next one, although it is sent later', async () => {
    const { queries, loader } = aSlowLoader();
    const first = loader.find('a');
    await endOfTurn();
    const second = loader.find('b');
    expect(idsOf(queries)).toEqual([['a']]);
    const third = loader.find('c');
    queries[0]!.end();
    expect(await first).toBe('A');
    await endOfTurn();
    expect(idsOf(queries)).toEqual([['a'], ['b', 'c']]);
    queries[1]!.end();
    expect(await Promise.all([second, third])).toEqual(['B', 'C']);
  });

  test('a failed query fails its look-ups only', async () => {
    const { queries, loader } = aSlowLoader();
    const first = loader.find('a');
    await endOfTurn();
    const second = loader.find('b');
    queries[0]!.fail(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await endOfTurn();
    queries[1]!.end();
    expect(await second).toBe('B');
  });

  test('a query that hangs does not hold up the others, and frees one place only', async () => {
    const { queries, loader } = aSlowLoader();
    const hanging = loader.find('a');
    await endOfTurn();
    const second = loader.find('b');
    await endOfTurn();
    expect(idsOf(queries)).toEqual([['a']]);
    jest.advanceTimersByTime(slowQueryMs);
    await endOfTurn();
    expect(idsOf(queries)).toEqual([['a'], ['b']]);
    queries[0]!.end();
    expect(await hanging).toBe('A');
    const third = loader.find('c');
    await endOfTurn();
    expect(idsOf(queries)).toEqual([['a'], ['b']]);
    queries[1]!.end();
    await endOfTurn();
    expect(idsOf(queries)).toEqual([['a'], ['b'], ['c']]);
    queries[2]!.end();
    expect(await Promise.all([second, third])).toEqual(['B', 'C']);
  });
});

test('look-ups per tenant count for the account, also after the first request has gone', async () => {
  const batches: { ids: string[]; tenant: string | undefined; gone: boolean | undefined }[] = [];
  const loader = new BatchLoader(
    (ids) => {
      const tenant = currentTenant();
      batches.push({ ids, tenant: tenant?.key, gone: tenant?.gone });
      return Promise.resolve(new Map(ids.map((id) => [id, id])));
    },
    { perTenant: true },
  );
  const of = (account: string, id: string) => {
    const tenant = new Tenant(`account:${account}`);
    const found = withDeadline(1000, () => loader.find(id), tenant);
    tenant.gone = true;
    return found;
  };
  expect(await Promise.all([of('a', '1'), of('b', '2'), of('a', '3')])).toEqual(['1', '2', '3']);
  expect(batches).toEqual([
    { ids: ['1', '3'], tenant: 'account:a', gone: false },
    { ids: ['2'], tenant: 'account:b', gone: false },
  ]);
});
