import type { ThrottlerStorage } from '@nestjs/throttler';
import type { ServerResponse } from 'node:http';
import { RateLimited } from '../../../src/platform/rate-limit/rate-limit.errors';
import { countRequest } from '../../../src/platform/rate-limit/rate-limit';

const minute = 60_000;
const start = 29_000_000 * minute;

interface Row {
  what: string;
  hits: number;
  left: number;
  /** Milliseconds since the window began, when the headers are written. */
  at: number;
  remaining: number;
  retryAfter: number | null;
}

test.each<Row>([
  { what: 'the first request', hits: 1, left: 60_000, at: 0, remaining: 2, retryAfter: null },
  { what: 'the last one allowed', hits: 3, left: 30_000, at: 30_000, remaining: 0, retryAfter: null },
  { what: 'one too many', hits: 4, left: 30_000, at: 30_000, remaining: 0, retryAfter: 30 },
  { what: 'many too many', hits: 400, left: 30_001, at: 29_999, remaining: 0, retryAfter: 31 },
  { what: 'the last millisecond', hits: 4, left: 1, at: 59_999, remaining: 0, retryAfter: 1 },
  { what: 'the end of the window', hits: 4, left: 0, at: 60_000, remaining: 0, retryAfter: 1 },
  { what: 'a count that took long', hits: 1, left: 60_000, at: 250, remaining: 2, retryAfter: null },
])('$what', async ({ hits, left, at, remaining, retryAfter }) => {
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
