import type { ThrottlerStorage } from '@nestjs/throttler';
import type { ServerResponse } from 'node:http';
import { RateLimited } from '../../../src/platform/rate-limit/rate-limit.errors';
import { countRequest, requestsOf } from '../../../src/platform/rate-limit/rate-limit';

const minute = 60_000;
const start = 29_000_000 * minute;

// Headers are written `at` milliseconds after the window began.
test.each<[string, hits: number, left: number, at: number, remaining: number, retryAfter: number | null]>([
  ['the first request', 1, 60_000, 0, 2, null],
  ['the last one allowed', 3, 30_000, 30_000, 0, null],
  ['one too many', 4, 30_000, 30_000, 0, 30],
  ['many too many', 400, 30_001, 29_999, 0, 31],
  ['the last millisecond', 4, 1, 59_999, 0, 1],
  ['the end of the window', 4, 0, 60_000, 0, 1],
  ['a count that took long', 1, 60_000, 250, 2, null],
])('%s', async (_, hits, left, at, remaining, retryAfter) => {
  const asked: unknown[] = [];
  const storage: ThrottlerStorage = {
    increment: async (...question) => {
      asked.push(question);
      return { totalHits: hits, timeToExpire: left, isBlocked: false, timeToBlockExpire: left };
    },
  };
  const headers: Record<string, unknown> = {};
  const response = { setHeader: (name: string, value: unknown) => (headers[name] = value) } as unknown;
  const counted = countRequest(storage, 'key:a', 3, () => start + at, response as ServerResponse);
  if (retryAfter === null) await counted;
  else {
    await expect(counted).rejects.toBeInstanceOf(RateLimited);
    await expect(counted).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: retryAfter });
  }
  expect(headers).toEqual({
    'X-RateLimit-Limit': 3,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': start + minute,
  });
  expect(asked).toEqual([['key:a', minute, 3, minute, 'default']]);
});

test.each([
  [0, 1],
  [1, 1],
  [100, 1],
  [101, 2],
  [1000, 5],
])('%d operations of a request count as %d of five requests', (operations, requests) => {
  expect(requestsOf(operations, 5)).toBe(requests);
});
