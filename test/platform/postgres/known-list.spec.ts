import { type Anchor, KnownList } from '../../../src/platform/postgres/known-list';

const anchor = (rank: number): Anchor => ({ rank, value: `value ${rank}`, id: `id ${rank}` });

const knownList = (...ranks: number[]): KnownList => new KnownList('1', 10_000, 0, ranks.map(anchor));

test.each([
  // Without anchors, from the nearer end.
  [[], 100, { direction: 'asc', from: null, skipped: 100 }],
  [[], 4990, { direction: 'asc', from: null, skipped: 4990 }],
  [[], 5000, { direction: 'desc', from: null, skipped: 4990 }],
  [[], 9990, { direction: 'desc', from: null, skipped: 0 }],
  // From the nearer anchor. Rows from an anchor on include it; rows before it do not.
  [[3000, 6000], 3000, { direction: 'asc', from: anchor(3000), skipped: 0 }],
  [[3000, 6000], 3100, { direction: 'asc', from: anchor(3000), skipped: 100 }],
  [[3000, 6000], 5900, { direction: 'desc', from: anchor(6000), skipped: 90 }],
  [[3000, 6000], 5990, { direction: 'desc', from: anchor(6000), skipped: 0 }],
  [[3000, 6000], 2999, { direction: 'desc', from: anchor(6000), skipped: 2991 }],
  [[3000, 6000], 2990, { direction: 'desc', from: anchor(3000), skipped: 0 }],
  [[3000, 6000], 9000, { direction: 'desc', from: null, skipped: 990 }],
] as const)('with anchors at %j, ten rows from rank %i are reached by %j', (ranks, rank, route) => {
  expect(knownList(...ranks).routeTo(rank, 10)).toEqual(route);
});

test('anchors are kept in the order of their ranks', () => {
  const list = knownList();
  for (const rank of [5000, 1000, 9000, 3000]) list.learn(anchor(rank));
  for (const rank of [1000, 3000, 5000, 9000])
    expect(list.routeTo(rank, 10)).toEqual({ direction: 'asc', from: anchor(rank), skipped: 0 });
});

test('anchors that save little are not kept', () => {
  const list = knownList(5000);
  for (const rank of [0, 100, 4900, 5100, 9900]) list.learn(anchor(rank));
  expect(list.routeTo(5100, 10)).toEqual({ direction: 'asc', from: anchor(5000), skipped: 100 });
  expect(list.routeTo(9900, 10)).toEqual({ direction: 'desc', from: null, skipped: 90 });
});
