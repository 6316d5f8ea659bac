import type { Response } from 'supertest';
import { type TestService } from '../../support/service';
import { aCampaign, type Campaign, claim, iosToken, minuteMs, startOfMinute, unknownToken } from './claim-link';
import { fixture, serviceFixture, aServiceOfTest } from '../../support/fixtures';

const limit = 5;

const limited = { RATE_LIMIT_PER_MINUTE: String(limit) };

/** The setup takes four API requests. */
async function aLimitedCampaign(service: TestService): Promise<Campaign> {
  startOfMinute(service);
  const made = await aCampaign(service);
  startOfMinute(service);
  return made;
}

const on = serviceFixture(limited);
const campaign = fixture(() => aLimitedCampaign(on));
beforeEach(() => startOfMinute(on));

const ask = (headers: Record<string, string> = {}, token: unknown = unknownToken): Promise<Response> =>
  Promise.resolve(claim(on, campaign.project.subdomain, token, headers));

async function statuses(count: number, send: (at: number) => Promise<Response>): Promise<number[]> {
  const answers: number[] = [];
  for (let at = 0; at < count; at++) answers.push((await send(at)).status);
  return answers;
}

const fiveAndOneMore = [404, 404, 404, 404, 404, 429];

test('the sixth claim within a minute is refused', async () => {
  const end = on.clock.now() - (on.clock.now() % minuteMs) + minuteMs;
  for (let left = limit - 1; left >= 0; left--) {
    const { headers } = await ask();
    expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]).toEqual([
      String(limit),
      String(left),
      String(end),
    ]);
    expect(headers).not.toHaveProperty('retry-after');
  }
  const refused = await ask();
  expect(refused).toBeRefusedWith('RATE_LIMITED');
  expect(refused.headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(end) });
  const wait = Number(refused.headers['retry-after']) * 1000;
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(minuteMs);
  on.clock.ahead += wait;
  expect((await ask()).status).toBe(404);
});

test('a refused claim does not use up the token', async () => {
  const token = await iosToken(on, campaign);
  await statuses(limit, () => ask());
  expect(await ask({}, token)).toBeRefusedWith('RATE_LIMITED');
  startOfMinute(on);
  expect((await ask({}, token)).status).toBe(200);
});

test('successes, refusals and claims on all hosts share one limit', async () => {
  const tokens = [await iosToken(on, campaign), await iosToken(on, campaign)];
  expect([
    (await ask({}, tokens[0])).status,
    (await ask({}, 17)).status,
    (await ask({ 'Content-Type': 'application/x-www-form-urlencoded' })).status,
    (await claim(on, 'nobody-has-this', unknownToken)).status,
    (await claim(on, 'deep.below', unknownToken)).status,
    (await ask({}, tokens[1])).status,
  ]).toEqual([200, 400, 415, 404, 404, 429]);
});

test('requests to the management API from the same address have a separate limit', async () => {
  await statuses(limit + 1, () => ask());
  const guess = await on.api('get', '/projects');
  expect([guess.status, guess.headers['x-ratelimit-remaining']]).toEqual([401, String(limit - 1)]);
  const known = await on.api('get', '/projects', campaign.key);
  expect([known.status, known.headers['x-ratelimit-remaining']]).toEqual([200, String(limit - 1)]);

  startOfMinute(on);
  for (let spent = 0; spent <= limit; spent++) await on.api('get', '/projects');
  expect((await on.api('get', '/projects')).status).toBe(429);
  expect((await ask()).headers['x-ratelimit-remaining']).toBe(String(limit - 1));
});

test('visits, association files and unknown paths are not limited', async () => {
  await statuses(limit + 1, () => ask());
  for (const path of ['/summer', '/missing', '/.well-known/assetlinks.json', '/deferred-links/claim'])
    for (let again = 0; again < limit + 2; again++) {
      const { status, headers } = await on.visit(campaign.project.subdomain, path);
      expect(status).toBeLessThan(405);
      expect(headers).not.toHaveProperty('x-ratelimit-limit');
    }
});

test('behind a trusted proxy, each client has a separate limit', async () => {
  const behind = await aServiceOfTest({ ...limited, TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });
  const { project } = await aLimitedCampaign(behind);
  const from = (addresses: string): Promise<Response> =>
    Promise.resolve(claim(behind, project.subdomain, unknownToken, { 'X-Forwarded-For': addresses }));
  expect(await statuses(limit + 1, (at) => from(`192.0.2.${at}`))).not.toContain(429);
  expect(await statuses(limit + 1, () => from('198.51.100.1'))).toEqual(fiveAndOneMore);
  expect((await from('198.51.100.2')).status).toBe(404);
});
