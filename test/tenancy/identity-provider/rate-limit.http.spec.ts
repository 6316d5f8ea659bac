import { withoutTable } from '../../support/other-session';
import { signInFixture } from '../../support/sign-in-service';
import { fixture } from '../../support/fixtures';

const limit = 10;
/** Of keys and addresses. */
const otherLimit = 6;
const minute = 60_000;

const on = signInFixture({ RATE_LIMIT_PER_MINUTE: `${otherLimit}`, PERSON_RATE_LIMIT_PER_MINUTE: `${limit}` });
beforeAll(() => void (on.provider.now = () => on.clock.now()));
const account = fixture(() => on.anAccount());
/** Nobody has been counted in the next window. */
beforeEach(() => {
  on.clock.stop();
  on.clock.ahead += minute - (on.clock.now() % minute);
});

const ask = (credential?: string) => on.api('get', '/projects', credential);

const left = async (credential?: string): Promise<number> =>
  Number((await ask(credential)).headers['x-ratelimit-remaining']);

const token = (claims: Record<string, unknown> = {}) => on.provider.token(account.accountId, claims);

describe('requests with tokens are counted', () => {
  test('by the person, whatever token they have at the moment', async () => {
    for (const remaining of [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      expect(await left(token({ jti: `r${remaining}`, email: `${remaining}@y.z` }))).toBe(remaining);
    expect(await ask(token({ jti: 'refreshed' }))).toBeRefusedWith('RATE_LIMITED');
  });

  test('apart from other people, keys of the account, and requests without either', async () => {
    await left(token());
    expect(await left(token({ sub: 'bob' }))).toBe(9);
    expect(await left(account.key)).toBe(otherLimit - 1);
    expect(await left()).toBe(otherLimit - 1);
    const other = await on.anAccount();
    expect(await left(on.provider.token(other.accountId))).toBe(9);
  });

  test('with PERSON_RATE_LIMIT_PER_MINUTE, of which the headers tell', async () => {
    expect((await ask(token())).headers['x-ratelimit-limit']).toBe(String(limit));
    for (const credential of [account.key, undefined, token({ exp: 1 })])
      expect((await ask(credential)).headers['x-ratelimit-limit']).toBe(String(otherLimit));
  });

  test('when the database does not know them either', async () => {
    await left(token());
    await withoutTable(on.database, 'user_identities', async () => {
      const answer = await ask(token({ sub: 'carol' }));
      expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([500, '9']);
      expect(await left(token({ sub: 'carol', jti: '2' }))).toBe(8);
    });
  });
});

test.each<[string, (at: number) => string]>([
  ['expired', (at) => token({ exp: 1, jti: String(at) })],
  ['of an unknown account', (at) => on.provider.token(account.userId, { jti: String(at) })],
  ['with forged keys', (at) => on.provider.token(account.accountId, {}, { kid: `forged-${at}` })],
  ['too long', (at) => token({ padding: 'x'.repeat(9000 + at) })],
  ['no token at all', (at) => `${at}.x.x`],
])('wrong tokens are counted by the address: %s', async (_, wrong) => {
  await ask();
  const answers = await Promise.all(Array.from({ length: otherLimit }, (_, at) => ask(wrong(at))));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 5 }, () => 401), 429]);
  for (const { headers } of answers) expect(headers['x-ratelimit-limit']).toBe(String(otherLimit));
  expect(await ask(wrong(99))).toBeRefusedWith('RATE_LIMITED');
  expect(await left(token())).toBe(9);
});
