import { retryAfterMsOf } from '../../../src/platform/outbound/retry-after';

const now = Date.UTC(2026, 0, 1);

test.each<[header: string | undefined, expected: number | null]>([
  [undefined, null],
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', null],
  ['99999999999999', null],
])('Retry-After %s is %s', (header, expected) => {
  expect(retryAfterMsOf(header, now)).toBe(expected);
});
