import { aProject } from '../../support/builders';
import { mintApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import { changingNothing } from '../../support/content';
import { withoutTable } from '../../support/other-session';
import { sendRequest } from '../../support/raw-http';
import { sample } from '../../support/scale';
import { type TestService, withService } from '../../support/service';
import { fixture, serviceFixture } from '../../support/fixtures';

const limit = 16;
const minute = 60_000;
const on = serviceFixture({ RATE_LIMIT_PER_MINUTE: String(limit) });
const account = fixture(() => on.anAccount());
beforeEach(() => startNextWindow(on));

/** Moves the clock to the start of the next window, which has no requests yet. */
function startNextWindow(service: TestService): void {
  // A slow machine would need several windows for the requests of one.
  service.clock.stop();
  service.clock.ahead += minute - (service.clock.now() % minute);
}

const projects = (key?: string, service = on) => service.api('get', '/projects', key);

interface Answered {
  status: number;
  headers: Record<string, string | undefined>;
}

const counts = ({ headers }: Answered) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
  retryAfter: headers['retry-after'],
});

async function statuses(count: number, send: () => PromiseLike<Answered>): Promise<number[]> {
  const answers: number[] = [];
  for (let sent = 0; sent < count; sent++) answers.push((await send()).status);
  return answers;
}

const repeat = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

describe('the rate-limit headers', () => {
  test.each<[number, string, () => PromiseLike<Answered>]>([
    [400, 'an undecodable path', () => on.api('get', '/projects/%ff', account.key)],
    [401, 'an unknown key', () => projects(mintApiKey())],
    [401, 'an unknown route without a key', () => on.api('get', '/nothing')],
    [404, 'an unknown route', () => on.api('get', '/nothing', account.key)],
    [405, 'another method', () => on.api('patch', '/projects', account.key)],
    [413, 'a large body', () => on.api('post', '/projects', account.key).send({ name: 'x'.repeat(150_000) })],
    [415, 'text', () => on.api('post', '/projects', account.key).type('text/plain').send('x')],
    [200, 'the API description', () => on.api('get', '/openapi.json')],
  ])('are set on %i for %s', async (status, _, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(counts(answer)).toEqual({
      limit: '16',
      remaining: '15',
      reset: expect.stringMatching(/^[0-9]{13}$/),
      retryAfter: undefined,
    });
  });

  test('are set on 500 if the key look-up fails, which still counts', async () => {
    const { key } = await on.anAccount();
    await withoutTable(on.database, 'api_keys', async () => {
      for (const remaining of ['15', '14']) {
        const answer = await projects(key);
        expect(answer.status).toBe(500);
        expect(counts(answer)).toMatchObject({ limit: '16', remaining });
      }
    });
  });

  test('count down by one, and every client has the same X-RateLimit-Reset', async () => {
    const answers: Answered[] = [];
    for (let sent = 0; sent < limit; sent++) answers.push(await projects(account.key));
    expect(answers.map((answer) => counts(answer).remaining)).toEqual(
      Array.from({ length: limit }, (_, sent) => String(limit - 1 - sent)),
    );
    const resets = new Set([...answers, await projects()].map((answer) => counts(answer).reset));
    expect(resets.size).toBe(1);
    const reset = Number([...resets][0]);
    expect(reset % minute).toBe(0);
    const left = reset - on.clock.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(minute);
  });
});

describe('the first request beyond the limit of a minute', () => {
  afterEach(() => on.clock.goOn());
  beforeEach(async () => {
    // All requests are in one window, however slow they are.
    on.clock.stop();
    await Promise.all(Array.from({ length: limit }, () => projects(account.key).expect(200)));
  });

  test('returns 429 with Retry-After', async () => {
    const before = on.clock.now();
    const answer = await projects(account.key);
    const after = on.clock.now();
    expect(answer).toBeRefusedWith('RATE_LIMITED');
    const { retryAfter, remaining, reset } = counts(answer);
    expect(retryAfter).toMatch(/^[1-9][0-9]?$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(remaining).toBe('0');
    expect(after + Number(retryAfter) * 1000).toBeGreaterThanOrEqual(Number(reset));
    expect(before + Number(retryAfter) * 1000).toBeLessThan(Number(reset) + 1000);
  });

  test('returns 429, like all after it, until the Retry-After has passed', async () => {
    expect(await statuses(5, () => projects(account.key))).toEqual(repeat(5, 429));
    on.clock.ahead += 30_000;
    const { retryAfter } = counts(await projects(account.key));
    expect(Number(retryAfter)).toBeLessThanOrEqual(30);
    on.clock.ahead += Number(retryAfter) * 1000 - 1500;
    expect((await projects(account.key)).status).toBe(429);
    on.clock.ahead += 1500;
    const afterwards = await projects(account.key);
    expect(afterwards.status).toBe(200);
    expect(counts(afterwards)).toMatchObject({ remaining: '15', retryAfter: undefined });
  });

  test('is not counted against another key of the account, or against the address', async () => {
    const { headers } = await projects();
    expect(headers['x-ratelimit-remaining']).toBe('15');
    const other = await on.anotherKey(account.accountId);
    expect(counts(await projects(other))).toMatchObject({ remaining: '15' });
  });
});

describe('guessing keys', () => {
  test.each<[string, () => string | undefined]>([
    ['no key', () => undefined],
    ['malformed keys', () => 'svc_live_guess'],
    ['a new well-formed key each time', mintApiKey],
  ])('with %s is limited by address', async (_, guess) => {
    const answers = await Promise.all(Array.from({ length: limit + 5 }, () => projects(guess())));
    expect(answers.map(({ status }) => status).sort()).toEqual([...repeat(limit, 401), ...repeat(5, 429)]);
    expect(await projects('one more')).toBeRefusedWith('RATE_LIMITED');
  });

  test('does not limit a valid key from the same address', async () => {
    await Promise.all(Array.from({ length: limit }, () => projects('wrong')));
    expect((await projects('wrong')).status).toBe(429);
    expect(counts(await projects(account.key))).toMatchObject({ remaining: '15' });
  });

  test('with a revoked key counts for the address', async () => {
    const { key, apiKeyId } = await on.anAccount();
    await on.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [apiKeyId]);
    await projects();
    expect(counts(await projects(key))).toMatchObject({ remaining: '14' });
  });
});

describe('the rate limit', () => {
  test.each(['/health/live', '/health/startup', '/health/ready'])('does not count %s', async (path) => {
    for (let sent = 0; sent < limit + 5; sent++) {
      const { status, headers } = await sendRequest(on.url, `GET ${path}`);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('x-ratelimit-limit');
    }
    expect(counts(await projects())).toMatchObject({ remaining: '15' });
  });

  test('does not count link visits', async () => {
    const answers = await statuses(limit + 5, () => on.visit('rate-limited', '/nothing'));
    expect(answers).toEqual(repeat(limit + 5, 404));
  });
});

test.each(['/api/v1/openapi.json', '/api/docs'])('%s needs no key and counts by address', async (path) => {
  const answers = await statuses(limit + 1, () => sendRequest(on.url, `GET ${path}`));
  expect(answers).toEqual([...repeat(limit, 200), 429]);
});

describe('the client address', () => {
  const remainingAfter = async (service: TestService, forwardedFor?: string): Promise<number> => {
    const headers: Record<string, string> = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
    return Number((await sendRequest(service.url, 'GET /api/v1/projects', headers)).headers['x-ratelimit-remaining']);
  };

  test('ignores X-Forwarded-For, Forwarded and X-Real-IP of an untrusted peer', async () => {
    expect([await remainingAfter(on), await remainingAfter(on, '203.0.113.1')]).toEqual([15, 14]);
    for (const header of ['Forwarded', 'X-Real-IP', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP'])
      await sendRequest(on.url, 'GET /api/v1/projects', { [header]: 'for=203.0.113.9' });
    expect(await remainingAfter(on)).toBe(8);
  });

  // test/platform/http/network.spec.ts has the forms of addresses.
  test.each(sample(['192.0.2.1, 127.0.0.1', '127.0.0.1', '127.0.0.0/8', 'loopback'], 0, 1))(
    'behind the trusted proxy %s is the last untrusted one of X-Forwarded-For, and its /64 network if it is IPv6',
    (trusted) =>
      withService({ RATE_LIMIT_PER_MINUTE: `${limit}`, TRUSTED_PROXIES: trusted }, on.database, async (behind) => {
        startNextWindow(behind);
        const sent: [address: string | undefined, remaining: number][] = [
          ['203.0.113.1', 15],
          ['198.51.100.2, 203.0.113.1', 14],
          ['203.0.113.1, 127.0.0.1', 13],
          ['::ffff:203.0.113.1', 12],
          ['203.0.113.2', 15],
          ['2001:db8:1:2::1', 15],
          ['2001:db8:1:2:ffff:ffff:ffff:ffff', 14],
          ['2001:db8:1:3::1', 15],
          [undefined, 15],
          ['unknown', 14],
        ];
        for (const [address, remaining] of sent)
          expect([address, await remainingAfter(behind, address)]).toEqual([address, remaining]);
      }),
  );

  test('is the IPv4 address on a dual-stack listener', () => {
    const settings = { RATE_LIMIT_PER_MINUTE: `${limit}`, TRUSTED_PROXIES: '127.0.0.1', HOST: '::' };
    return withService(settings, on.database, async (both) => {
      startNextWindow(both);
      for (const address of ['203.0.113.1', '203.0.113.2', undefined])
        expect(await remainingAfter(both, address)).toBe(15);
    });
  });
});

test('operations of a bulk request count as one request for each hundred', async () => {
  const { key } = await on.anAccount('enterprise');
  const project = (await aProject(on, key)).id;
  startNextWindow(on);
  const bulk = (operations: unknown[]) => on.api('post', `/projects/${project}/links/bulk`, key).send({ operations });
  const creations = (count: number) => Array<object>(count).fill({ op: 'create', link: { name: 'A link' } });
  const remaining = async (answer: PromiseLike<Answered>) => Number(counts(await answer).remaining);
  expect(await remaining(bulk(creations(1)))).toBe(limit - 1);
  expect(await remaining(bulk(creations(100)))).toBe(limit - 2);
  expect(await remaining(bulk(creations(101)))).toBe(limit - 4);
  expect(await remaining(bulk(creations(1001)))).toBe(limit - 5);
  const noObject = on.api('post', `/projects/${project}/links/bulk`, key).type('json').send('7');
  expect(await remaining(noObject)).toBe(limit - 6);
  // Links that a filter finds count as operations do.
  const byFilter = (expected_count: unknown) =>
    on
      .api('post', `/projects/${project}/links/bulk/by-filter`, key)
      .send({ filter: {}, action: 'archive', expected_count });
  expect(await remaining(byFilter(101))).toBe(limit - 8);
  expect(await remaining(byFilter('9999'))).toBe(limit - 9);
  expect(await remaining(byFilter(-1e9))).toBe(limit - 10);
  expect(await statuses(limit - 10 - 5, () => projects(key))).not.toContain(429);
  const refused = await changingNothing(on, () => bulk(creations(1000)));
  expect([refused.status, counts(refused).remaining]).toEqual([429, '0']);
});
