import { digestOf } from '../../../src/management-api/api-keys/api-key-secret';
import { ApiKeyRepository, type KnownKey } from '../../../src/management-api/api-keys/api-key.repository';
import { ApiKeysService } from '../../../src/management-api/api-keys/api-keys.service';
import { Pepper } from '../../../src/management-api/api-keys/pepper';
import { newId } from '../../../src/shared/id';
import { unique } from '../../support/builders';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { FakeApiKeys } from './fake-api-keys';

/** The promises of the port to authentication, which PostgreSQL's adapter and the fake both keep. */
let on: TestService;
let account: TestAccount;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('pro');
});
afterAll(() => on.stop());

interface StoredKey {
  id: string;
  digest: Buffer;
}

interface Subject {
  port: Pick<ApiKeyRepository, 'findCaller' | 'touch'>;
  store: (expiresAt: Date | null) => Promise<StoredKey>;
  revoke: (key: StoredKey) => Promise<unknown>;
  lastUseOf: (id: string) => Promise<Date | null>;
}

function postgresql(): Subject {
  const { app } = on.service;
  const port = app.get(ApiKeyRepository, { strict: false });
  return {
    port,
    store: async (expiresAt) => {
      const { id, secret } = await app.get(ApiKeysService).create(account.accountId, 'Key', expiresAt);
      return { id, digest: digestOf(secret, app.get(Pepper, { strict: false }).value) };
    },
    revoke: ({ id }) => app.get(ApiKeysService).revoke(id),
    lastUseOf: async (id) => (await port.list(account.accountId)).find((key) => key.id === id)!.lastUsedAt,
  };
}

function fake(): Subject {
  const port = new FakeApiKeys(() => Date.now());
  return {
    port,
    store: async (expiresAt) => {
      const key = { id: newId(), digest: digestOf(unique('key'), 'pepper') };
      port.known.set(key.digest.toString('hex'), { caller: callerOf(key.id), expiresAt });
      return key;
    },
    revoke: async ({ digest }) => port.known.delete(digest.toString('hex')),
    lastUseOf: async (id) => port.lastUses.get(id) ?? null,
  };
}

const callerOf = (apiKeyId: string): KnownKey['caller'] => ({
  accountId: account.accountId,
  plan: 'pro',
  userId: account.userId,
  apiKeyId,
});

describe.each([
  ['PostgreSQL', postgresql],
  ['the fake', fake],
])('%s', (_, make) => {
  let subject: Subject;
  beforeAll(() => (subject = make()));

  test('finds the caller of a key, with its expiry date', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const [lasting, ending] = [await subject.store(null), await subject.store(expiresAt)];
    expect(await subject.port.findCaller(lasting.digest)).toEqual({ caller: callerOf(lasting.id), expiresAt: null });
    expect(await subject.port.findCaller(ending.digest)).toEqual({ caller: callerOf(ending.id), expiresAt });
  });

  test('finds many at once, each its own', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => subject.store(null)));
    const callers = await Promise.all(keys.map(({ digest }) => subject.port.findCaller(digest)));
    expect(callers.map((known) => known?.caller.apiKeyId)).toEqual(keys.map(({ id }) => id));
  });

  test('finds no unknown, expired or revoked key', async () => {
    const [expired, revoked] = [await subject.store(new Date(Date.now() - 1)), await subject.store(null)];
    await subject.revoke(revoked);
    for (const digest of [digestOf('unknown', 'pepper'), expired.digest, revoked.digest])
      expect(await subject.port.findCaller(digest)).toBeNull();
  });

  test('moves the last use of each key forward, never back', async () => {
    const [one, other] = [await subject.store(null), await subject.store(null)];
    const [early, late] = [new Date('2031-02-03T04:05:00Z'), new Date('2031-02-03T04:06:00Z')];
    expect(await subject.lastUseOf(one.id)).toBeNull();
    await subject.port.touch(
      new Map([
        [one.id, early],
        [other.id, late],
        [newId(), late],
      ]),
    );
    expect([await subject.lastUseOf(one.id), await subject.lastUseOf(other.id)]).toEqual([early, late]);
    await subject.port.touch(
      new Map([
        [one.id, late],
        [other.id, early],
      ]),
    );
    expect([await subject.lastUseOf(one.id), await subject.lastUseOf(other.id)]).toEqual([late, late]);
  });
});
