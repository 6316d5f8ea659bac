import { digestOfToken, newToken } from '../../../src/link-traffic/deferred-links/deferred-link';
import { PgDeferredLinkMoves } from '../../../src/regions/pg-deferred-link-moves';
import { PgDeferredLinkRepository } from '../../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { PgMovedLinkRepository } from '../../../src/link-traffic/deferred-links/pg-moved-link.repository';
import { losingAnswer, TwoDatabases } from '../../support/two-databases';
import { fixture } from '../../support/fixtures';

const on = fixture(() => TwoDatabases.create());
const inRegion = fixture(() => new PgDeferredLinkRepository(on.pools.region));
const elsewhere = fixture(() => new PgMovedLinkRepository(on.pools.primary));
const moves = fixture(() => new PgDeferredLinkMoves(on.pools.region, on.pools.primary, on.code));

/** Issues a token of the region. */
async function aToken(): Promise<string> {
  const token = newToken(on.code);
  const shown = { browser: 'Instagram', step: 'shown' as const };
  const link = { token, projectId: on.projectId, dynamicLinkId: on.linkId, ...shown };
  await inRegion.insertAll([{ ...link, visitedAtMs: performance.now(), lifetimeMs: 3_600_000 }]);
  return token;
}

const claimElsewhere = (token: string, id: string | null = null) =>
  elsewhere.claim(on.projectId, token, on.code, { country: null, id });
const claimInRegion = (token: string) => inRegion.claim(on.projectId, token);
const none = { externalId: null, referrerParams: [], appData: null, clickId: null };
const claimed = { ...none, customPath: 'summer', clickedAt: expect.any(Date) as Date };

/** Returns the tokens that the primary asks the region for. */
async function requested(): Promise<Buffer[]> {
  const [row] = await on.primary.query<{ tokens: Buffer[] }>(
    'SELECT requested_tokens AS tokens FROM contact_primary($1, $2)',
    [on.code, on.writer],
  );
  return row!.tokens;
}

/** Claims elsewhere, and repeats the claim if this process stood still for longer than a claim waits. */
async function claimUntilAnswered(token: string): ReturnType<typeof claimElsewhere> {
  for (;;)
    try {
      return await claimElsewhere(token);
    } catch (error) {
      const { cause } = error as { cause?: Error };
      if (!cause?.message.includes('did not answer')) throw error;
    }
}

/** Claims elsewhere, while the region answers its requests. */
async function claimWithAnswer(token: string, by = moves) {
  const claim = claimUntilAnswered(token);
  for (let isDone = false; !isDone;) {
    isDone = await Promise.race([
      claim.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 20, false)),
    ]);
    await by.answer(await requested()).catch(() => {});
  }
  return claim;
}

/** Asks the region for a token, and returns the answer of the primary. */
const ask = async (digest: Buffer): Promise<string> =>
  (await on.primary.query<{ answer: string }>('SELECT request_deferred_link($1, $2) AS answer', [digest, on.code]))[0]!
    .answer;

async function moveOnRequest(token: string): Promise<void> {
  await ask(digestOfToken(token));
  await moves.answer(await requested());
}

test('a token is claimed once outside its region', async () => {
  const token = await aToken();
  expect(await claimWithAnswer(token)).toEqual(claimed);
  expect(await claimWithAnswer(token)).toBeNull();
  expect(await claimInRegion(token)).toBeNull();
});

test('a claim outside the region is answered again by its id', async () => {
  const token = await aToken();
  await moveOnRequest(token);
  expect(await claimElsewhere(token, 'one')).toEqual(claimed);
  expect(await claimElsewhere(token, 'one')).toEqual(claimed);
  expect(await claimElsewhere(token, 'other')).toBeNull();
});

test('a token that was claimed in its region is unknown elsewhere', async () => {
  const token = await aToken();
  expect(await claimInRegion(token)).toEqual(claimed);
  expect(await claimWithAnswer(token)).toBeNull();
});

test('a token that was asked for can no longer be claimed in its region', async () => {
  const token = await aToken();
  await moveOnRequest(token);
  expect(await claimInRegion(token)).toBeNull();
  expect(await inRegion.isMoved(token)).toBe(true);
  expect(await claimElsewhere(token)).toEqual(claimed);
});

test.each([
  ['that it was received', /receive_deferred_links/],
  ['that the request is answered', /UPDATE deferred_link_requests/],
])('a token is claimed once if the answer is lost %s', async (_what, statement) => {
  const token = await aToken();
  const losing = new PgDeferredLinkMoves(on.pools.region, losingAnswer(on.pools.primary, statement), on.code);
  expect(await claimWithAnswer(token, losing)).toEqual(claimed);
  expect(await claimWithAnswer(token)).toBeNull();
  // A process that did not see the answer sends the token again.
  await moves.answer([digestOfToken(token)]);
  await moves.moveAll();
  expect(await claimElsewhere(token)).toBeNull();
});

test('a claim is refused for now if the region does not answer', async () => {
  const token = await aToken();
  await expect(claimElsewhere(token)).rejects.toThrow('not available');
  expect(await claimWithAnswer(token)).toEqual(claimed);
});

test('claims beyond twenty are refused at once, so that the others get an answer', async () => {
  const token = await aToken();
  const claims = Array.from({ length: 60 }, () => claimUntilAnswered(newToken(on.code)).catch((error: Error) => error));
  const refused = await Promise.race(claims);
  expect(refused).toMatchObject({ code: 'DATABASE_ERROR', cause: { message: expect.stringContaining('too many') } });
  let isDone = false;
  const all = Promise.all(claims).finally(() => (isDone = true));
  while (!isDone) await moves.answer(await requested());
  const answers = await all;
  expect(answers.filter((answer) => answer === null)).toHaveLength(20);
  expect(await claimWithAnswer(token)).toEqual(claimed);
});

/** Counts the requests of the primary. */
const countOf = async (condition: string): Promise<number> =>
  (await on.primary.query(`SELECT FROM deferred_link_requests WHERE ${condition}`)).length;
const digests = (count: number): Buffer[] => Array.from({ length: count }, () => digestOfToken(newToken(on.code)));

test('a region is asked for 300 tokens at once, and for others once it has answered', async () => {
  const countOpen = () => countOf('answered_at IS NULL');
  for (const digest of digests(310)) expect(await ask(digest)).toBe('open');
  expect(await countOpen()).toBe(300);
  const token = await aToken();
  expect(await ask(digestOfToken(token))).toBe('open');
  // Answers first what others asked for.
  expect(await claimWithAnswer(token)).toEqual(claimed);
  while ((await requested()).length > 0) await moves.answer(await requested());
  expect(await countOpen()).toBe(0);
});

test('tokens of a region that is removed are claimed in the primary', async () => {
  const tokens = [await aToken(), await aToken()];
  expect(await moves.moveAll()).toBeGreaterThanOrEqual(2);
  expect(await moves.moveAll()).toBe(0);
  await on.primary.query('DELETE FROM regions');
  for (const token of tokens) {
    expect(await claimInRegion(token)).toBeNull();
    expect(await claimElsewhere(token)).toEqual(claimed);
    expect(await claimElsewhere(token)).toBeNull();
  }
});

test('requests are purged, those of moved tokens after their expiry', async () => {
  const repository = new PgDeferredLinkRepository(on.pools.primary);
  const count = () => countOf('expires_at IS NOT NULL');
  expect(await count()).toBeGreaterThan(0);
  const age = () => on.primary.query("UPDATE deferred_link_requests SET expires_at = expires_at - interval '1 hour'");
  await age();
  await repository.purgeExpired(1);
  expect(await count()).toBeGreaterThan(0);
  await age();
  await repository.purgeExpired(1);
  expect(await count()).toBe(0);
});
