import { ClickUpkeep } from '../../../src/clicks/recording/click-upkeep';
import type { PgClickRepository } from '../../../src/clicks/recording/pg-click.repository';

/** Fresh clicks of which each roll-up takes up to the requested number, at a speed. */
class FreshClicks implements Pick<PgClickRepository, 'isRollUpDue' | 'rollUp' | 'mergeSome' | 'purgeSome'> {
  readonly requested: number[] = [];
  merges = 0;
  clicksPerSecond = 100_000;
  /** Clicks that arrive during a second. */
  arrivals = 0;
  failures = 0;

  constructor(public fresh: number) {}

  isRollUpDue({ clicks }: { clicks: number }): Promise<boolean> {
    return Promise.resolve(this.fresh >= clicks);
  }

  rollUp(clicks: number): Promise<number> {
    this.requested.push(clicks);
    if (this.failures-- > 0) return Promise.reject(new Error('the server stopped'));
    const taken = Math.min(clicks, this.fresh);
    const seconds = taken / this.clicksPerSecond;
    jest.advanceTimersByTime(seconds * 1000);
    this.fresh += seconds * this.arrivals - taken;
    return Promise.resolve(taken);
  }

  mergeSome(): Promise<boolean> {
    return Promise.resolve(++this.merges % 3 !== 0);
  }

  purgeSome(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

const errors: unknown[] = [];
const upkeepOf = (clicks: FreshClicks) =>
  new ClickUpkeep(
    clicks as unknown as PgClickRepository,
    13,
    () => {},
    (error) => errors.push(error),
  );

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  errors.length = 0;
});

test('rolls up until fewer clicks are fresh than the limit, and merges after each roll-up', async () => {
  const clicks = new FreshClicks(1_000_000);
  await upkeepOf(clicks).sweep();
  expect(clicks.fresh).toBeLessThan(200_000);
  expect(clicks.merges).toBe(3 * clicks.requested.length);
  await upkeepOf(clicks).sweep();
  expect(clicks.merges).toBe(3 * clicks.requested.length);
});

test('a backlog shrinks while clicks arrive', async () => {
  const clicks = new FreshClicks(1_000_000);
  Object.assign(clicks, { arrivals: 20_000, clicksPerSecond: 30_000 });
  await upkeepOf(clicks).sweep();
  expect(clicks.fresh).toBeLessThan(200_000);
});

test('a roll-up has half of the clicks after a slow one, and twice as many after a fast one', async () => {
  const clicks = new FreshClicks(600_000);
  const upkeep = upkeepOf(clicks);
  clicks.clicksPerSecond = 10_000;
  await upkeep.sweep();
  // 100,000 clicks take 10 s, which is neither fast nor slow.
  expect(clicks.requested).toEqual([200_000, 100_000, 100_000, 100_000]);
  Object.assign(clicks, { fresh: 1_000_000, clicksPerSecond: 100_000, requested: [] });
  await upkeep.sweep();
  expect(clicks.requested).toEqual([100_000, 200_000, 200_000, 200_000, 200_000]);
});

test('a failed roll-up is tried again with half of the clicks, in the next sweep', async () => {
  const clicks = new FreshClicks(450_000);
  const upkeep = upkeepOf(clicks);
  clicks.failures = 2;
  await upkeep.sweep();
  await upkeep.sweep();
  expect([clicks.requested, errors.length]).toEqual([[200_000, 100_000], 2]);
  await upkeep.sweep();
  expect(clicks.requested.slice(2)).toEqual([50_000, 100_000, 200_000]);
});

test('a stop waits five seconds for a roll-up', async () => {
  const clicks = new FreshClicks(1_000_000);
  jest.spyOn(clicks, 'rollUp').mockReturnValue(new Promise(() => {}));
  const upkeep = upkeepOf(clicks);
  void upkeep.sweep();
  let isStopped = false;
  const stop = upkeep.stop().then(() => (isStopped = true));
  await jest.advanceTimersByTimeAsync(4999);
  expect(isStopped).toBe(false);
  jest.advanceTimersByTime(1);
  await stop;
});

test('nothing is rolled up after the stop', async () => {
  const clicks = new FreshClicks(1_000_000);
  const upkeep = upkeepOf(clicks);
  const sweep = upkeep.sweep();
  await upkeep.stop();
  await sweep;
  expect(clicks.requested.length).toBeLessThanOrEqual(1);
});
