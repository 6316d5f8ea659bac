import { setImmediate as turn } from 'node:timers/promises';
import { BriefCache } from '../../src/shared/brief-cache';

/** A source whose loads end when the test says so. */
function aSource() {
  const loads: ((value: { n: number } | null | Error) => void)[] = [];
  const load = () =>
    new Promise<{ n: number } | null>((resolve, reject) => {
      loads.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
    });
  return { loads, load };
}

test('concurrent requests share a load, and later ones its value', async () => {
  const cache = new BriefCache<{ n: number }>();
  const { loads, load } = aSource();
  const both = Promise.all([cache.get('a', load), cache.get('a', load)]);
  loads[0]!({ n: 1 });
  expect(await both).toEqual([{ n: 1 }, { n: 1 }]);
  expect(await cache.get('a', load)).toEqual({ n: 1 });
  expect(loads).toHaveLength(1);
});

test.each<[name: string, answer: null | Error]>([
  ['absence', null],
  ['an error', new Error('no database')],
])('%s is not cached', async (_, answer) => {
  const cache = new BriefCache<{ n: number }>();
  const { loads, load } = aSource();
  const first = Promise.resolve(cache.get('a', load)).catch(() => null);
  loads[0]!(answer);
  expect(await first).toBeNull();
  const second = cache.get('a', load);
  loads[1]!({ n: 2 });
  expect(await second).toEqual({ n: 2 });
});

test.each<[name: string, forget: (cache: BriefCache<{ n: number }>) => void]>([
  ['delete', (cache) => cache.delete('a')],
  ['clear', (cache) => cache.clear()],
])('after %s, neither a cached value nor a load under way is used', async (_, forget) => {
  const cache = new BriefCache<{ n: number }>();
  const { loads, load } = aSource();
  const early = cache.get('a', load);
  forget(cache);
  const late = cache.get('a', load);
  expect(loads).toHaveLength(2);
  loads[1]!({ n: 2 });
  expect(await late).toEqual({ n: 2 });
  // The older load ends last.
  loads[0]!({ n: 1 });
  expect(await early).toEqual({ n: 1 });
  await turn();
  expect(await cache.get('a', load)).toEqual({ n: 2 });
  forget(cache);
  void cache.get('a', load);
  expect(loads).toHaveLength(3);
});
