import { newId } from '../../../src/shared/id';
import { PgUserIdentityRepository } from '../../../src/tenancy/identity-provider/pg-user-identity.repository';
import { aDynamicLink, anApiKey, aProject, aShortLink, dataAt, unique } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { steadyMsOf } from '../../support/steady-clock';
import { type TestService, withService } from '../../support/service';
import { immediateMs } from '../../support/immediate';
import { fixture, serviceFixture, providerFixture } from '../../support/fixtures';

const provider = providerFixture();
const on = serviceFixture(() => provider.environment);
const replica = serviceFixture(
  () => provider.environment,
  () => on.database,
);
const account = fixture(() => on.anAccount());

interface User {
  id: string;
  email: string | null;
}

const usersOf = (accountId: string): Promise<User[]> =>
  on.database.query<User>('SELECT id, email FROM users WHERE account_id = $1 ORDER BY created_at', [accountId]);

const whoIs = async (token: string, service: TestService = on): Promise<string> =>
  (await dataAt<{ user_id: string }>(service, token, '/account')).user_id;

describe('the first request of a person', () => {
  test('makes a user, whom all later tokens of that person are', async () => {
    const sub = unique('ann');
    const before = await usersOf(account.accountId);
    const id = await whoIs(provider.token(account.accountId, { sub, email: 'ann@example.com' }));
    const after = await usersOf(account.accountId);
    expect(after.slice(before.length)).toEqual([{ id, email: 'ann@example.com' }]);
    for (const claims of [{ jti: '2' }, { email: 'new@example.com' }, { aud: [provider.audience, 'x'] }])
      expect(await whoIs(provider.token(account.accountId, { sub, ...claims }))).toBe(id);
    expect(await whoIs(provider.token(account.accountId, { sub }), replica)).toBe(id);
    expect(await usersOf(account.accountId)).toEqual(after);
  });

  test.each([
    ['none', undefined],
    ['one that is no text', { address: 'a@example.com' }],
    ['one with NUL', 'a\0@example.com'],
    ['one with a lone surrogate', '\ud800@example.com'],
    ['one that is too long', `${'a'.repeat(320)}@example.com`],
  ])('makes a user without an address where the token has %s', async (_, email) => {
    const id = await whoIs(provider.token(account.accountId, { sub: unique('mail'), email }));
    expect(await usersOf(account.accountId)).toContainEqual({ id, email: null });
  });

  test('of the same subject in another account makes another user', async () => {
    const other = await on.anAccount();
    const sub = unique('both');
    const ids = [
      await whoIs(provider.token(account.accountId, { sub })),
      await whoIs(provider.token(other.accountId, { sub })),
    ];
    expect(new Set(ids).size).toBe(2);
    expect((await usersOf(other.accountId)).map(({ id }) => id)).toEqual([other.userId, ids[1]]);
  });

  test('of the same subject at another provider makes another user', async () => {
    const DASHBOARD_ISSUER = 'https://other.example.com';
    const sub = unique('moved');
    const here = await whoIs(provider.token(account.accountId, { sub }));
    await withService({ ...provider.environment, DASHBOARD_ISSUER }, on.database, async (service) => {
      const token = provider.token(account.accountId, { sub, iss: DASHBOARD_ISSUER });
      expect(await whoIs(token, service)).not.toBe(here);
    });
  });

  test.each(["o'neill", '名前😀', 'ANN', 'ann ', '__proto__', 'auth0|64f1', '%', ' leading'])(
    'may have the subject %j, which is no other',
    async (sub) => {
      const [one, similar] = [
        await whoIs(provider.token(account.accountId, { sub })),
        await whoIs(provider.token(account.accountId, { sub: sub.toLowerCase().trim() })),
      ];
      expect(one === similar).toBe(sub === sub.toLowerCase().trim());
    },
  );

  test('makes one user, of twenty at once on two replicas', async () => {
    for (let round = 0; round < 5; round++) {
      const sub = unique('race');
      const before = (await usersOf(account.accountId)).length;
      const seen = await Promise.all(
        // A process refuses more of one account at once.
        Array.from({ length: 20 }, (_, at) =>
          whoIs(provider.token(account.accountId, { sub, jti: String(at) }), at % 2 ? on : replica),
        ),
      );
      expect(new Set(seen).size).toBe(1);
      expect(await usersOf(account.accountId)).toHaveLength(before + 1);
    }
  });

  test('of an account that goes away meanwhile makes nobody', async () => {
    const userIdentities = on.service.app.get(PgUserIdentityRepository);
    const gone = { accountId: newId(), issuer: provider.issuer, subject: unique('gone'), email: null, groups: [] };
    expect(await userIdentities.insert(newId(), gone)).toBe(false);
    expect(await userIdentities.find(gone)).toBeNull();
  });

  test('is answered 503 where the database takes no writes, and somebody known 200', async () => {
    const known = provider.token(account.accountId, { sub: unique('known') });
    await whoIs(known);
    const name = new URL(on.database.url).pathname.slice(1);
    await on.database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const readOnly = { ...provider.environment, MIGRATE_ON_START: 'false' };
    try {
      await withService(readOnly, on.database, async (service) => {
        const ask = (token: string) => service.api('get', '/account', token);
        expect(await ask(provider.token(account.accountId, { sub: unique('new') }))).toBeRefusedWith('DATABASE_ERROR');
        await ask(known).expect(200);
      });
    } finally {
      await on.database.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    }
  });
});

test('requests of a known person write nothing', async () => {
  const token = provider.token(account.accountId, { sub: unique('quiet') });
  await whoIs(token);
  // A row that is written again, with the same values too, has another xmin.
  const rows = () =>
    on.database.query(`SELECT xmin, id, email, NULL AS subject FROM users
                    UNION ALL SELECT xmin, user_id, NULL, subject FROM user_identities ORDER BY 2, 4`);
  const before = await rows();
  for (const service of [on, replica, on]) await whoIs(token, service);
  expect(await rows()).toEqual(before);
});

test('a resource that a user creates belongs to the user, and one by a key that they made too', async () => {
  const token = provider.token(account.accountId, { sub: unique('maker') });
  const userId = await whoIs(token);
  const made = await anApiKey(on, token);
  const origins: [credential: string, source: string, created_by: string, created_by_api_key_id: string | null][] = [
    [token, 'dashboard', userId, null],
    [made.key, 'api', userId, made.id],
    [account.key, 'api', account.userId, account.apiKeyId],
  ];
  for (const [credential, source, created_by, created_by_api_key_id] of origins) {
    const project = await aProject(on, credential);
    expect(project.user_id).toBe(created_by);
    const link = await aDynamicLink(on, credential, project.id);
    const short = await aShortLink(on, credential, project.id, link.id);
    expect(short).toMatchObject({ source, created_by, created_by_api_key_id });
  }
});

const soon = async (seen: () => Promise<unknown>): Promise<void> =>
  expect(await steadyMsOf(seen, () => on.database.query('SELECT'))).toBeLessThan(immediateMs);

test.each<[string, (accountId: string) => Promise<unknown>]>([
  ['by the service', (accountId) => on.setPlan(accountId, 'pro')],
  ['by another process', (id) => on.database.query("UPDATE accounts SET plan = 'pro' WHERE id = $1", [id])],
])('a change of plan %s is seen within a second, on every replica', async (_, change) => {
  const { accountId, key } = await on.anAccount('free');
  const token = provider.token(accountId);
  const { id } = await aProject(on, token);
  const create = (service: TestService, credential: string) =>
    service.api('post', `/projects/${id}/links`, credential).send({ name: 'N', ios_deferred_deep_link: true });
  const callers = [on, replica].flatMap((service) => [token, key].map((credential) => [service, credential] as const));
  for (const caller of callers) expect(await create(...caller)).toBeRefusedWith('FORBIDDEN_PLAN');
  await change(accountId);
  await soon(async () => {
    for (const caller of callers) await eventually(async () => (await create(...caller)).status === 201);
  });
});

test('an account that is gone opens nothing, within a second', async () => {
  const { accountId } = await on.anAccount();
  const token = provider.token(accountId);
  await whoIs(token);
  await on.database.query('DELETE FROM accounts WHERE id = $1', [accountId]);
  await soon(() => eventually(async () => (await on.api('get', '/account', token)).status === 401));
});
