import { setTimeout as sleep } from 'node:timers/promises';
import type { Click, OpenedLink } from '../../../src/clicks/recording/click';
import { ClickRecorder, clickWrites } from '../../../src/clicks/recording/click-recorder';
import type { PgClickRepository } from '../../../src/clicks/recording/pg-click.repository';
import { newId } from '../../../src/shared/id';
import { eventually } from '../../support/eventually';
import { steadyNow } from '../../support/steady-now';
import { aClick, anOpenedLink } from './counting';
import { FakeClicks } from './fake-clicks';

/** As in production. */
beforeAll(() => void (clickWrites.pauseMs = 500));

/** Longer than a busy machine stands still. */
const generousMs = 120_000;

let clicks: FakeClicks;
let errors: string[];
let recorder: ClickRecorder;
/** Starts a recorder with the capacity of production. Without a value, it has its timeout too. */
const start = (shutdownTimeoutMs?: number) => {
  clicks = new FakeClicks();
  errors = [];
  recorder = new ClickRecorder(
    clicks as unknown as PgClickRepository,
    (error) => errors.push((error as Error).message),
    undefined,
    shutdownTimeoutMs,
  );
};
beforeEach(() => start(generousMs));
afterEach(() => recorder.stop());

const projectId = newId();
const link = anOpenedLink();
const writtenLink = ({ id, shortLinkId, shortLinkSource }: OpenedLink) => ({ id, shortLinkId, shortLinkSource });
const client = { platform: 'desktop', browser: 'Chrome', robot: false };
/** One moment, because clicks of two quarters of an hour have separate rows. */
const now = Date.now();
const click = (fields: Partial<Click> = {}): Click => aClick({ at: now, projectId, link, client, ...fields });
const record = (times: number) => {
  for (let time = 0; time < times; time++) recorder.record(click());
};

test('clicks are written in one batch within a second', async () => {
  record(300);
  expect(recorder.counts).toEqual({ recorded: 0, waiting: 300, dropped: 0 });
  await eventually(() => recorder.counts.recorded === 300);
  expect(recorder.counts).toEqual({ recorded: 300, waiting: 0, dropped: 0 });
  expect(clicks.sent).toHaveLength(1);
});

test('equal clicks share one row, and each keeps its time', async () => {
  const client = { platform: 'ios', browser: 'Safari', robot: false };
  for (const at of [1_000_700, 1_000_500, 1_000_900]) recorder.record(click({ at, client }));
  recorder.record(click({ at: 1_000_600, client, referrer: 'a.example' }));
  recorder.record(click({ at: 1_000_800, client }));
  await recorder.stop();
  const [row, ...others] = clicks.sent[0]!.batch.rows();
  expect(row).toMatchObject({
    at: 1_000_700,
    links: [writtenLink(link)],
    opened: [1, 1],
    openedBy: [1, 2],
    counts: [4, 1],
  });
  expect(row!.visitors.map(({ referrer }) => referrer)).toEqual([null, 'a.example']);
  expect(row!.moments).toEqual([0, -200, 200, 100, -100]);
  expect(others).toEqual([]);
});

test('many clicks are written in several numbered batches', async () => {
  record(12_000);
  await eventually(() => recorder.counts.recorded === 12_000);
  expect(clicks.sent.map(({ number, batch }) => [number, batch.size])).toEqual([
    [1, 5000],
    [2, 5000],
    [3, 2000],
  ]);
  expect(new Set(clicks.sent.map(({ writer }) => writer)).size).toBe(1);
});

test('while clicks keep coming they are written twice a second, not as soon as the last ones are', async () => {
  clicks.takesMs = 5;
  const startedAt = performance.now();
  let recorded = 0;
  while (performance.now() < startedAt + 2200) {
    record(10);
    recorded += 10;
    await sleep(2);
  }
  expect(clicks.sent.length).toBeLessThanOrEqual((performance.now() - startedAt) / 500 + 1);
  await eventually(() => recorder.counts.recorded === recorded);
  expect(clicks.written).toBe(recorded);
});

test('a batch whose answer is lost is sent again unchanged, before later clicks', async () => {
  clicks.refusing = true;
  record(2);
  await eventually(() => errors.length === 1);
  record(3);
  await eventually(() => errors.length === 2);
  expect(recorder.counts).toEqual({ recorded: 0, waiting: 5, dropped: 0 });
  clicks.refusing = false;
  await eventually(() => recorder.counts.recorded === 5);
  expect(clicks.sent.map(({ number }) => number)).toEqual([1, 1, 1, 2]);
  expect(clicks.sent[1]!.batch).toBe(clicks.sent[0]!.batch);
  expect(clicks.written).toBe(5);
});

test('clicks beyond the capacity are dropped and counted until a write frees space', async () => {
  clicks.refusing = true;
  record(60_000);
  await eventually(() => errors.length === 1);
  record(40_020);
  expect(recorder.counts).toEqual({ recorded: 0, waiting: 100_000, dropped: 20 });
  clicks.refusing = false;
  await eventually(() => recorder.counts.waiting === 0);
  record(100);
  await recorder.stop();
  expect(recorder.counts).toEqual({ recorded: 100_100, waiting: 0, dropped: 20 });
});

test('stop writes the waiting clicks and waits for a running write', async () => {
  let release = (): void => {};
  clicks.hold = new Promise((resolve) => (release = resolve));
  record(10);
  await eventually(() => clicks.sent.length === 1);
  record(7000);
  const stopped = recorder.stop();
  clicks.hold = null;
  release();
  await stopped;
  expect(recorder.counts).toEqual({ recorded: 7010, waiting: 0, dropped: 0 });
});

test('stop retries for some seconds, reports the lost clicks, and ends', async () => {
  start();
  clicks.refusing = true;
  record(10);
  const [startedAt, startedSteady] = [performance.now(), steadyNow()];
  await recorder.stop();
  expect(performance.now() - startedAt).toBeGreaterThan(4000);
  expect(steadyNow() - startedSteady).toBeLessThan(20_000);
  expect(recorder.counts).toEqual({ recorded: 0, waiting: 0, dropped: 10 });
  expect(errors.at(-1)).toMatch(/^10 clicks are lost/);
});
