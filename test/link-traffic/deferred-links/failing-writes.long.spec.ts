import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually';
import { withoutTable, withTransaction } from '../../support/other-session';
import { SteadyClock } from '../../support/steady-clock';
import { aCampaign, androidToken, claim, iosToken, storedTokens, unknownToken, untilStored } from './claim-link';
import { useProductionLockLimit } from '../../support/time-limits';
import { fixture, serviceFixture } from '../../support/fixtures';

// A write on a locked table ends by the limit of its lock, and the other limits are longer.
beforeAll(useProductionLockLimit);

/** Less than the timeout of a write on a locked table, and much more than a visit takes on a busy machine. */
const maxVisitMs = 1500;

const on = serviceFixture();
/** Measures visits and the shutdown. */
const clock = fixture(() => new SteadyClock(() => on.database.query('SELECT')));
const campaign = fixture(() => aCampaign(on));
beforeEach(() => on.database.query('DELETE FROM deferred_links'));

const ask = (token: unknown) => claim(on, campaign.project.subdomain, token);

/** Returns the tokens of visits; fails unless each visit is answered promptly. */
async function promptTokens(count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let at = 0; at < count; at++) {
    const start = clock.now();
    tokens.push(await (at % 2 ? iosToken(on, campaign) : androidToken(on, campaign)));
    expect(clock.now() - start).toBeLessThan(maxVisitMs);
  }
  return tokens;
}

/** Runs `act` while the table is locked. */
async function withLock(table: string, act: () => Promise<void>): Promise<void> {
  await withTransaction(on.database, async (other) => {
    await other.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await act();
  });
}

const failedWrites = () => on.logLines.filter((line) => line.includes('deferred links are not written yet')).length;

test('visits get tokens without the table, and all tokens become valid later', async () => {
  const before = failedWrites();
  const startedAt = on.clock.now();
  const seconds = () => (on.clock.now() - startedAt) / 1000;
  const { tokens, pauseMs } = await withoutTable(on.database, 'deferred_links', async () => {
    const first = await promptTokens(20);
    const pausedAt = performance.now();
    // It retries with a pause.
    await eventually(() => failedWrites() - before >= 3);
    expect(failedWrites() - before).toBeLessThanOrEqual(seconds() + 2);
    const paused = performance.now() - pausedAt;
    return { tokens: [...first, ...(await promptTokens(5))], pauseMs: paused };
  });
  await untilStored(on, tokens.length);
  const clickedAt: number[] = [];
  for (const token of tokens) {
    const { status, body } = await ask(token);
    expect(status).toBe(200);
    clickedAt.push(Date.parse(body.data.clicked_at));
  }
  // The times of the visits, not of the write that they share.
  expect(clickedAt[0]).toBeGreaterThanOrEqual(startedAt);
  expect(clickedAt.at(-1)! - clickedAt[0]!).toBeGreaterThanOrEqual(pauseMs - 1);
});

test('a claim without the table is a server error and does not use up the token', async () => {
  const stored = await iosToken(on, campaign);
  await untilStored(on, 1);
  const waiting = await withoutTable(on.database, 'deferred_links', async () => {
    const issued = await iosToken(on, campaign);
    for (const token of [stored, issued, unknownToken]) expect(await ask(token)).toBeRefusedWith('UNKNOWN_ERROR');
    expect((await ask('x')).status).toBe(404);
    return issued;
  });
  for (const token of [stored, waiting]) expect((await ask(token)).status).toBe(200);
});

test('visits continue while the table is locked, and claims are answered in time', async () => {
  let tokens: string[] = [];
  await withLock('deferred_links', async () => {
    tokens = await promptTokens(4);
    await sleep(150);
    tokens.push(...(await promptTokens(4)));
    const start = clock.now();
    const answers = await Promise.all(tokens.map((token) => ask(token)));
    expect(clock.now() - start).toBeLessThan(5000);
    for (const answer of answers) expect(answer).toBeRefusedWith('DATABASE_ERROR');
    await promptTokens(2);
  });
  await untilStored(on, 10);
  for (const token of tokens) expect((await ask(token)).status).toBe(200);
});

test('a claim on a host that cannot be looked up returns an error object', async () => {
  await withLock('projects', async () => {
    const answer = await claim(on, 'not-looked-up-yet', unknownToken);
    expect(answer).toBeRefusedWith('DATABASE_ERROR');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '1000000',
      'cache-control': 'no-store',
    });
  });
  expect(await claim(on, 'not-looked-up-yet', unknownToken)).toBeRefusedWith('NOT_FOUND');
});

test('a claim whose link cannot be read does not use up the token', async () => {
  const token = await iosToken(on, campaign);
  await untilStored(on, 1);
  await withLock('dynamic_links', async () => {
    expect(await ask(token)).toBeRefusedWith('DATABASE_ERROR');
  });
  expect(await storedTokens(on)).toBe(1);
  expect((await ask(token)).status).toBe(200);
});
