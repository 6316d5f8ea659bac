import { aProject, unique } from '../../support/builders';
import { type RawAnswer, sendRequest } from '../../support/raw-http';
import { withService } from '../../support/service';
import { words } from '../../support/words';
import { fixture, serviceFixture } from '../../support/fixtures';

const dashboard = 'https://dashboard.example.com';
const local = 'http://localhost:5173';
const limit = 5;
const minute = 60_000;
const on = serviceFixture({ ALLOWED_ORIGINS: `${dashboard},${local}`, RATE_LIMIT_PER_MINUTE: String(limit) });
const account = fixture(() => on.anAccount('enterprise'));
/** No request has been counted in the next window. */
beforeEach(() => {
  on.clock.ahead += minute - (on.clock.now() % minute);
});

type Headers = Record<string, string> | [string, string][];

const preflight = (headers: Headers, path = '/api/v1/projects', service = on): Promise<RawAnswer> =>
  sendRequest(service.url, `OPTIONS ${path}`, [
    ...(Array.isArray(headers) ? headers : Object.entries(headers)),
    ['Access-Control-Request-Method', 'POST'],
    ['Access-Control-Request-Headers', 'authorization,content-type'],
  ]);

const get = (headers: Headers, path = '/api/v1/projects', service = on): Promise<RawAnswer> =>
  sendRequest(service.url, `GET ${path}`, headers);

const authorized = (origin: string): [string, string][] => [
  ['Authorization', `Bearer ${account.key}`],
  ['Origin', origin],
];

const corsHeaders = ({ headers }: RawAnswer): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const listOf = (value: string | undefined): string[] => (value ?? '').split(', ').sort();

describe('a preflight of an allowed origin', () => {
  test.each([dashboard, local])('from %s is answered without a credential', async (origin) => {
    const answer = await preflight({ Origin: origin });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(listOf(answer.headers['access-control-allow-methods'])).toEqual(['DELETE', 'GET', 'HEAD', 'POST', 'PUT']);
    expect(listOf(answer.headers['access-control-allow-headers']?.toLowerCase())).toEqual(
      words('authorization content-type idempotency-key if-match if-none-match traceparent tracestate x-request-id'),
    );
    expect(answer.headers).toMatchObject({ 'access-control-max-age': '7200', vary: 'Origin' });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('does not count for the rate limit, and is answered beyond it', async () => {
    for (let sent = 0; sent < 3 * limit; sent++) expect((await preflight({ Origin: dashboard })).status).toBe(204);
    const first = await get({ Origin: dashboard });
    expect(first.headers['x-ratelimit-remaining']).toBe(String(limit - 1));
    for (let sent = 0; sent < limit; sent++) await get({ Origin: dashboard });
    expect(await get({ Origin: dashboard })).toBeRefusedWith('RATE_LIMITED');
    expect((await preflight({ Origin: dashboard })).status).toBe(204);
  });
});

describe('a request of an allowed origin', () => {
  const expectReadable = (answer: RawAnswer): void => {
    expect(answer.headers['access-control-allow-origin']).toBe(dashboard);
    expect(listOf(answer.headers['access-control-expose-headers'])).toEqual([
      ...['Broken-App-Versions', 'ETag', 'Idempotent-Replayed', 'Location', 'Retry-After'],
      ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'],
    ]);
    expect(answer.headers['vary']).toBe('Origin');
    expect(corsHeaders(answer).sort()).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
  };

  test('gets a response that its page may read, an error too', async () => {
    const { id } = await aProject(on, account.key);
    const path = `/api/v1/projects/${id}`;
    const read = await get(authorized(dashboard), path);
    expect(read.status).toBe(200);
    expectReadable(read);
    const cached = await get([...authorized(dashboard), ['If-None-Match', read.headers['etag']!]], path);
    expect(cached.status).toBe(304);
    expectReadable(cached);
    const unauthorized = await get({ Origin: dashboard });
    expect(unauthorized).toBeRefusedWith('UNAUTHORIZED');
    expectReadable(unauthorized);
    const created = await sendRequest(
      on.url,
      'POST /api/v1/projects',
      [...authorized(dashboard), ['Content-Type', 'application/json']],
      JSON.stringify({ name: 'N', subdomain: unique('cors') }),
    );
    expect(created.status).toBe(201);
    expectReadable(created);
    for (let sent = 0; sent < limit; sent++) await get(authorized(dashboard));
    const limited = await get(authorized(dashboard));
    expect(limited).toBeRefusedWith('RATE_LIMITED');
    expectReadable(limited);
  });

  test('with OPTIONS but without the header of a preflight needs a credential', async () => {
    const options = (headers: Headers) => sendRequest(on.url, 'OPTIONS /api/v1/projects', headers);
    expect(await options({ Origin: dashboard })).toBeRefusedWith('UNAUTHORIZED');
    expect(await options(authorized(dashboard))).toBeRefusedWith('METHOD_NOT_ALLOWED');
    expect(await preflight({})).toBeRefusedWith('UNAUTHORIZED');
  });
});

describe('an origin that is not allowed', () => {
  const forged = [
    ...['null', '', 'https://dashboard.example.com.evil.example', 'https://evil-dashboard.example.com'],
    ...['https://dashboard.example.com@evil.example', 'https://x.dashboard.example.com', `${dashboard}:443`],
    ...['http://dashboard.example.com', 'HTTPS://DASHBOARD.EXAMPLE.COM', 'https://dashboardxexample.com'],
    ...[`${dashboard}, ${local}`, `${dashboard}%00.evil.example`, '__proto__'],
  ].map((origin) => [origin]);

  test.each([...forged, ['https://evil.example', dashboard]].map((all) => [all]))(
    '%j gets no permission',
    async (origins) => {
      const headers = origins.map((origin): [string, string] => ['Origin', origin]);
      const refused = await preflight(headers);
      expect([refused.status, refused.headers['vary'], corsHeaders(refused)]).toEqual([204, 'Origin', []]);
      // The response is that of any other client; the browser keeps it from the page.
      const answer = await get([['Authorization', `Bearer ${account.key}`], ...headers]);
      expect([answer.status, answer.headers['vary'], corsHeaders(answer)]).toEqual([200, 'Origin', []]);
    },
  );

  test('does not use up the rate limit of its visitors by preflights', async () => {
    for (let sent = 0; sent < 3 * limit; sent++) await preflight({ Origin: 'https://evil.example' });
    expect((await get({})).headers['x-ratelimit-remaining']).toBe(String(limit - 1));
  });
});

test('a response to a request without Origin varies by it, because caches serve it to pages too', async () => {
  const answer = await get({ Authorization: `Bearer ${account.key}` });
  expect([answer.headers['vary'], corsHeaders(answer)]).toEqual(['Origin', []]);
});

test.each(['/health/live', '/', '/api/docs', '/api/v1x', '/api'])('%s has no CORS headers', async (path) => {
  const answer = await get({ Origin: dashboard }, path);
  expect(corsHeaders(answer)).toEqual([]);
  expect(answer.headers['vary'] ?? '').not.toContain('Origin');
  expect((await preflight({ Origin: dashboard }, path)).status).toBeGreaterThanOrEqual(400);
});

test('link hosts have no CORS headers', async () => {
  const { subdomain } = await aProject(on, account.key);
  for (const method of ['GET', 'OPTIONS']) {
    const headers = { Host: `${subdomain}.localhost`, Origin: dashboard, 'Access-Control-Request-Method': 'GET' };
    const answer = await sendRequest(on.url, `${method} /api/v1/projects`, headers);
    expect(corsHeaders(answer)).toEqual([]);
    expect(answer.status).toBe(method === 'GET' ? 404 : 405);
  }
});

test('without ALLOWED_ORIGINS, no origin gets permission, and a preflight needs a credential', () =>
  withService({}, on.database, async (without) => {
    const answer = await get(authorized(dashboard), '/api/v1/projects', without);
    expect([answer.status, answer.headers['vary'], corsHeaders(answer)]).toEqual([200, undefined, []]);
    const refused = await preflight({ Origin: dashboard }, '/api/v1/projects', without);
    expect(refused).toBeRefusedWith('UNAUTHORIZED');
    expect(corsHeaders(refused)).toEqual([]);
  }));
