import type { AppEvent } from '../../src/clicks/app-events/app-event';
import { AppEventRecorder } from '../../src/link-traffic/app-event-recorder';

const event: AppEvent = {
  event: 'open',
  digest: Buffer.alloc(32),
  projectId: 'project',
  dynamicLinkId: 'link',
  at: 0,
  platform: 'ios',
  version: '1.0',
  country: '',
};

test('20,000 opens wait for the database, their answers do not, and further ones are refused', async () => {
  let accept = () => {};
  const written: number[] = [];
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  const recorder = new AppEventRecorder({ record: (all) => accepted.then(() => void written.push(all.length)) }, fail);
  await Promise.all(Array.from({ length: 20_000 }, () => recorder.record(event)));
  await expect(recorder.record(event)).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
  expect(recorder.counts).toEqual({ received: 20_001, recorded: 0, waiting: 20_000, dropped: 1 });
  accept();
  await recorder.stop();
  expect(written).toEqual(Array(20).fill(1000));
  expect(recorder.counts).toEqual({ received: 20_001, recorded: 20_000, waiting: 0, dropped: 1 });
});

test('a failed write is repeated, and what the last one leaves is dropped', async () => {
  const errors: unknown[] = [];
  let fails = true;
  const record = () => (fails ? Promise.reject(new Error('down')) : Promise.resolve());
  const recorder = new AppEventRecorder({ record }, (error) => errors.push(error));
  await recorder.record(event);
  expect([recorder.counts.waiting, errors.length > 0]).toEqual([1, true]);
  fails = false;
  await recorder.record(event);
  expect(recorder.counts).toEqual({ received: 2, recorded: 2, waiting: 0, dropped: 0 });
  fails = true;
  await recorder.record(event);
  await recorder.stop();
  expect(recorder.counts).toEqual({ received: 3, recorded: 2, waiting: 1, dropped: 1 });
});

const fail = (error: unknown) => {
  throw error;
};
