import { createRequire } from 'node:module';

interface ApiError {
  isTemporary: boolean;
}

/** The console has other TypeScript settings, which an import would not follow. */
const { errorOf } = createRequire(__filename)('../../console/src/api/api-error') as {
  errorOf(response: Response, body: unknown): ApiError;
};

const error = (status: number, details?: object, headers?: Record<string, string>): ApiError =>
  errorOf(new Response(null, { status, headers }), { error: { code: 'DATABASE_ERROR', message: 'Not now', details } });

test('a search that is too expensive is sent again if the answer says when', () => {
  expect(error(503, { reason: 'too_expensive' }, { 'Retry-After': '60' }).isTemporary).toBe(true);
});

test.each<[status: number, details: object | undefined, isTemporary: boolean]>([
  [429, { reason: 'concurrency' }, true],
  [503, undefined, true],
  // The contract: a retry takes as long.
  [503, { reason: 'too_expensive' }, false],
  [400, [{ path: 'name', message: 'name must not be empty' }], false],
  [404, undefined, false],
])('whether %i with %j is sent again', (status, details, isTemporary) => {
  expect(error(status, details).isTemporary).toBe(isTemporary);
});
