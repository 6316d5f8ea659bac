import { load } from './load';

interface ApiError {
  isTemporary: boolean;
  isPermanent: boolean;
  isMissing: boolean;
  retryAfterMs: number | undefined;
}

const { errorOf } = load('api/api-error');

const error = (status: number, details?: object, headers?: Record<string, string>): ApiError =>
  errorOf(new Response(null, { status, headers }), { error: { code: 'DATABASE_ERROR', message: 'Not now', details } });

test('a search that is too expensive is sent again if the answer says when', () => {
  const { isTemporary, retryAfterMs } = error(503, { reason: 'too_expensive', retry_after_seconds: 60 });
  expect([isTemporary, retryAfterMs]).toEqual([true, 60_000]);
  expect(error(429, undefined, { 'Retry-After': '7' }).retryAfterMs).toBe(7000);
});

test('an answer of a proxy without the form of an error is sent again', () => {
  expect(errorOf(new Response(null, { status: 502 }), '<h1>Bad Gateway</h1>').isTemporary).toBe(true);
});

test('a creation whose first attempt still runs is sent again', () => {
  const body = { error: { code: 'IDEMPOTENCY_CONFLICT', message: 'A request with this key is running' } };
  expect(errorOf(new Response(null, { status: 409 }), body).isTemporary).toBe(true);
});

test.each([404, 403])('only the service, and not a proxy, can answer %i for good', (status) => {
  const response = new Response(null, { status });
  const isMissing = status === 404;
  expect(error(status)).toMatchObject({ isPermanent: true, isMissing });
  expect(errorOf(response, '<h1>Not here</h1>')).toMatchObject({ isPermanent: false, isMissing: false });
});

test.each([429, 500, 503])('an answer %i is not for good', (status) => {
  expect(error(status)).toMatchObject({ isPermanent: false, isMissing: false });
});

test.each<[status: number, details: object | undefined, isTemporary: boolean]>([
  [429, { reason: 'concurrency' }, true],
  [503, undefined, true],
  // The contract: a retry takes as long.
  [503, { reason: 'too_expensive' }, false],
  [502, undefined, true],
  [504, undefined, true],
  [500, undefined, false],
  [400, [{ path: 'name', message: 'name must not be empty' }], false],
  [404, undefined, false],
  [409, undefined, false],
])('whether %i with %j is sent again', (status, details, isTemporary) => {
  expect(error(status, details).isTemporary).toBe(isTemporary);
});
