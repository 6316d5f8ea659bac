import { pauseMs } from '../../../src/imports/apis/retry-pause';

const now = Date.parse('2026-06-01T12:00:00Z');

test.each<['failed' | 'limited', number, string | undefined, number | null]>([
  ['failed', 1, undefined, 1000],
  ['failed', 5, undefined, 16_000],
  ['failed', 6, undefined, null],
  ['failed', 1, '3', 3000],
  ['limited', 6, undefined, 32_000],
  ['limited', 20, undefined, 300_000],
  ['limited', 40, undefined, null],
  ['limited', 1, '3600', 3_600_000],
  ['limited', 1, '7201', null],
  ['limited', 1, '0', 1000],
  ['limited', 1, '-5', 1000],
  ['limited', 1, 'soon', 1000],
  ['limited', 2, '9999999999999', 2000],
  ['limited', 1, 'Mon, 01 Jun 2026 12:01:00 GMT', 60_000],
  ['limited', 1, 'Mon, 01 Jun 2026 11:00:00 GMT', 1000],
])('after a request that has %s, attempt %i, with Retry-After %s: %s ms', (reason, attempt, retryAfter, expected) => {
  expect(pauseMs(reason, attempt, retryAfter, now)).toBe(expected);
});
