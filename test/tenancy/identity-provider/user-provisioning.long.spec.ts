import { newId } from '../../../src/shared/id';
import { PgUserIdentityRepository } from '../../../src/tenancy/identity-provider/pg-user-identity.repository';
import { aDynamicLink, aProject, aShortLink, unique } from '../../support/builders';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { IdentityProvider } from '../../support/identity-provider';
import { steadyMsOf } from '../../support/steady-clock';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { immediateMs } from '../../support/immediate';

let provider: IdentityProvider;
let database: TestDatabase;
let on: TestService;
let replica: TestService;
let account: TestAccount;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  database = await createDatabase();
  on = await aService(provider.environment, database);
  replica = await aService(provider.environment, database);
  account = await on.anAccount();
});
afterAll(async () => {
  await on.stop();
  await replica.stop();
  await provider.stop();
  await database.drop();
});

interface User {
  id: string;
  email: string | null;
}

const usersOf = (accountId: string): Promise<User[]> =>
  database.query<User>('SELECT id, email FROM users WHERE account_id = $1 ORDER BY created_at', [accountId]);

const whoIs = async (token: string, service = on): Promise<string> => {
  const { body } = await service.api('get', '/account', token).expect(200);
  return (body as { data: { user_id: string } }).data.user_id;
};

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
    const service = await aService({ ...provider.environment, DASHBOARD_ISSUER }, database);
    try {
      const sub = unique('moved');
      const [here, there] = [
        await whoIs(provider.token(account.accountId, { sub })),
        await whoIs(provider.token(account.accountId, { sub, iss: DASHBOARD_ISSUER }), service),
      ];
      expect(here).not.toBe(there);
    } finally {
      await service.stop();
    }
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

  test('makes one user, of fifty at once on two replicas', async () => {
    for (let round = 0; round < 5; round++) {
      const sub = unique('race');
      const before = (await usersOf(account.accountId)).length;
      const seen = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
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
    await database.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    const service = await aService({ ...provider.environment, MIGRATE_ON_START: 'false' }, database);
    try {
      const ask = (token: string) => service.api('get', '/account', token);
      expect(await ask(provider.token(account.accountId, { sub: unique('new') }))).toBeRefusedWith('DATABASE_ERROR');
      await ask(known).expect(200);
    } finally {
      await service.stop();
      await database.query(
        `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} RESET default_transaction_read_only`,
      );
    }
  });
});

test('requests of a known person write nothing', async () => {
  const token = provider.token(account.accountId, { sub: unique('quiet') });
  await whoIs(token);
  // A row that is written again, with the same values too, has another xmin.
  const rows = () =>
    database.query(`SELECT xmin, id, email, NULL AS subject FROM users
                    UNION ALL SELECT xmin, user_id, NULL, subject FROM user_identities ORDER BY 2, 4`);
  const before = await rows();
  for (const service of [on, replica, on]) await whoIs(token, service);
  expect(await rows()).toEqual(before);
});

describe('a resource that a user creates', () => {
  test('belongs to the user, with the dashboard as its origin', async () => {
    const token = provider.token(account.accountId, { sub: unique('maker') });
    const userId = await whoIs(token);
    const project = await aProject(on, token);
    expect(project.user_id).toBe(userId);
    const link = await aDynamicLink(on, token, project.id);
    expect(await aShortLink(on, token, project.id, link.id)).toMatchObject({
      source: 'dashboard',
      created_by: userId,
      created_by_api_key_id: null,
    });
    expect(await aShortLink(on, account.key, project.id, link.id)).toMatchObject({
      source: 'api',
      created_by: account.userId,
      created_by_api_key_id: account.apiKeyId,
    });
  });

  test('by a key that they made is theirs too, and was made by the key', async () => {
    const token = provider.token(account.accountId, { sub: unique('maker') });
    const userId = await whoIs(token);
    const made = await on.api('post', '/account/api-keys', token).send({ name: 'CI' }).expect(201);
    const { id, key } = (made.body as { data: { id: string; key: string } }).data;
    const project = await aProject(on, key);
    expect(project.user_id).toBe(userId);
    const link = await aDynamicLink(on, key, project.id);
    expect(await aShortLink(on, key, project.id, link.id)).toMatchObject({
      source: 'api',
      created_by: userId,
      created_by_api_key_id: id,
    });
  });
});

const soon = async (seen: () => Promise<unknown>): Promise<void> =>
  expect(await steadyMsOf(seen, () => database.query('SELECT'))).toBeLessThan(immediateMs);

test.each<[string, (accountId: string) => Promise<unknown>]>([
  ['by the service', (accountId) => on.setPlan(accountId, 'pro')],
  ['by another process', (id) => database.query("UPDATE accounts SET plan = 'pro' WHERE id = $1", [id])],
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
  await database.query('DELETE FROM accounts WHERE id = $1', [accountId]);
  await soon(() => eventually(async () => (await on.api('get', '/account', token)).status === 401));
});
