import type { DataSource } from 'typeorm';
import { RegionSlots } from '../../src/regions/region-slots';

const intervalMs = 5000;
const row = (connected: boolean) => ({ name: 'eu', connected, retainedBytes: 16 });

let answer: () => Promise<unknown>;
let slots: RegionSlots;
beforeEach(() => {
  jest.useFakeTimers();
  slots = new RegionSlots({ query: () => answer() } as unknown as DataSource);
  slots.start();
});
afterEach(async () => {
  const stopped = slots.stop();
  await readFor(intervalMs);
  await stopped;
  jest.useRealTimers();
});

const readFor = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

const unavailable: Record<string, () => Promise<unknown>> = {
  refuses: () => Promise.reject(new Error('too many connections')),
  'does not answer': () => new Promise((_, reject) => setTimeout(() => reject(new Error('timeout')), 3000)),
};

// A series that disappears for one scrape begins the ten minutes of SignpostRegionDisconnected again.
test.each(Object.keys(unavailable))('slots stay for a minute while the database %s, and no longer', async (kind) => {
  answer = async () => [row(false)];
  await readFor(intervalMs);
  expect(slots.slots).toEqual([row(false)]);
  answer = unavailable[kind]!;
  await readFor(55_000);
  expect(slots.slots).toEqual([row(false)]);
  await readFor(2 * intervalMs);
  expect(slots.slots).toEqual([]);
  answer = async () => [row(true)];
  await readFor(2 * intervalMs);
  expect(slots.slots).toEqual([row(true)]);
});

test('a region that was removed disappears with the next read', async () => {
  answer = async () => [row(true)];
  await readFor(intervalMs);
  answer = async () => [];
  await readFor(intervalMs);
  expect(slots.slots).toEqual([]);
});
