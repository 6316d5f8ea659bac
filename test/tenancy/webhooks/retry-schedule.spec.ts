import { outagePause, pauseAfterAttempt } from '../../../src/tenancy/webhooks/retry-schedule';

const hour = 3_600_000;

test.each<[attempts: number, age: number, retryAfter: number | null, random: number, pause: number | null]>([
  [1, 0, null, 0.5, 5000],
  [1, 0, null, 0, 4000],
  [1, 0, null, 1, 6000],
  [2, 5000, null, 0.5, 20_000],
  [5, 600_000, null, 0.5, 1_280_000],
  [20, 71 * hour, null, 0.5, 8 * hour],
  [20, 72 * hour, null, 0.5, null],
  [1, 0, 60_000, 0.5, 60_000],
  [1, 0, 1000, 0.5, 5000],
  [1, 0, 1000 * hour, 0.5, hour],
])('attempt %d after %d ms, asked for %s, random %d: %s', (attempts, age, retryAfter, random, pause) => {
  expect(pauseAfterAttempt(attempts, age, retryAfter, random)).toBe(pause);
});

test('an event is tried 17 times in three days', () => {
  let age = 0;
  let attempts = 1;
  for (;;) {
    const pause = pauseAfterAttempt(attempts, age, null, 0.5);
    if (pause === null) break;
    age += pause;
    attempts++;
  }
  expect(attempts).toBe(17);
});

test.each<[failures: number, retryAfter: number | null, pause: number | null]>([
  [4, null, null],
  [5, null, 5000],
  [7, null, 20_000],
  [100, null, 600_000],
  [5, 30_000, 30_000],
  [5, 1000 * hour, hour],
])('an endpoint with %d failures, asked for %s, pauses %s', (failures, retryAfter, pause) => {
  expect(outagePause(failures, retryAfter, 0.5)).toBe(pause);
});
