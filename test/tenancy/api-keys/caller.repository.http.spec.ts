import { unlimitedRights } from '../../../src/api-kit/policy/rights';
import { digestOfKey } from '../../../src/tenancy/api-keys/api-key-secret';
import { TypeormApiKeyRepository } from '../../../src/tenancy/api-keys/typeorm-api-key.repository';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { CallerRepository, type KnownKey } from '../../../src/tenancy/api-keys/caller.repository';
import { Pepper } from '../../../src/tenancy/api-keys/pepper';
import { newId } from '../../../src/shared/id';
import { unique } from '../../support/builders';
import { FakeApiKeys } from './fake-api-keys';
import { fixture, serviceFixture } from '../../support/fixtures';

/** The promises of the port to authentication, which PostgreSQL's adapter and the fake both keep. */
const on = serviceFixture();
const account = fixture(() => on.anAccount('pro'));

const usesOf = (uses: Record<string, number>) => new Map(Object.entries(uses));

interface StoredKey {
  id: string;
  digest: Buffer;
}

interface Subject {
  port: CallerRepository;
  store: (expiresAt: Date | null) => Promise<StoredKey>;
  revoke: (key: StoredKey) => Promise<unknown>;
  lastUseOf: (id: string) => Promise<Date | null>;
}

function postgresql(): Subject {
  const { app } = on.service;
  const keys = app.get(TypeormApiKeyRepository, { strict: false });
  return {
    port: app.get(CallerRepository, { strict: false }),
    store: async (expiresAt) => {
      const { id, secret } = await app.get(ApiKeysService).create(account.accountId, 'Key', expiresAt);
      return { id, digest: digestOfKey(secret, app.get(Pepper, { strict: false }).value) };
    },
    revoke: ({ id }) => app.get(ApiKeysService).revoke(id),
    lastUseOf: async (id) => (await keys.list(account.accountId)).find((key) => key.id === id)!.lastUsedAt,
  };
}

function fake(): Subject {
  const port = new FakeApiKeys(() => Date.now());
  return {
    port,
    store: async (expiresAt) => {
      const key = { id: newId(), digest: digestOfKey(unique('key'), 'pepper') };
      port.known.set(key.digest.toString('hex'), {
        caller: callerOf(key.id),
        validUntilMs: performance.now() + (expiresAt ? expiresAt.getTime() - Date.now() : Infinity),
      });
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
  rights: unlimitedRights,
  stopped: null,
});

describe.each([
  ['PostgreSQL', postgresql],
  ['the fake', fake],
])('%s', (_, make) => {
  let subject: Subject;
  beforeAll(() => (subject = make()));

  test('finds the caller of a key, with its expiry', async () => {
    const start = performance.now();
    const expiresAt = new Date(Date.now() + 3_600_000);
    const [lasting, ending] = [await subject.store(null), await subject.store(expiresAt)];
    const unlimited = { caller: callerOf(lasting.id), validUntilMs: Infinity };
    expect(await subject.port.find(lasting.digest)).toEqual(unlimited);
    const { caller, validUntilMs } = (await subject.port.find(ending.digest))!;
    expect(caller).toEqual(callerOf(ending.id));
    // At most the duration of the look-up early.
    expect(validUntilMs).toBeGreaterThan(start + 3_599_000 - (performance.now() - start));
    expect(validUntilMs).toBeLessThan(performance.now() + 3_601_000);
  });

  test('finds many at once, each its own', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => subject.store(null)));
    const callers = await Promise.all(keys.map(({ digest }) => subject.port.find(digest)));
    expect(callers.map((known) => known?.caller.apiKeyId)).toEqual(keys.map(({ id }) => id));
  });

  test('finds no unknown, expired or revoked key', async () => {
    const [expired, revoked] = [await subject.store(new Date(Date.now() - 1)), await subject.store(null)];
    await subject.revoke(revoked);
    for (const digest of [digestOfKey('unknown', 'pepper'), expired.digest, revoked.digest])
      expect(await subject.port.find(digest)).toBeNull();
  });

  test('moves the last use of each key forward, never back', async () => {
    const [one, other] = [await subject.store(null), await subject.store(null)];
    const late = performance.now() - 3_600_000;
    const early = late - 3_600_000;
    expect(await subject.lastUseOf(one.id)).toBeNull();
    await subject.port.touch(usesOf({ [one.id]: early, [other.id]: late, [newId()]: late }));
    const [oneUse, otherUse] = [(await subject.lastUseOf(one.id))!, (await subject.lastUseOf(other.id))!];
    for (const use of [oneUse, otherUse]) expect(use.getTime() % 60_000).toBe(0);
    expect(oneUse.getTime()).toBeLessThanOrEqual(Date.now() - 7_200_000 + 1);
    expect(otherUse.getTime()).toBeLessThanOrEqual(Date.now() - 3_600_000 + 1);
    await subject.port.touch(usesOf({ [one.id]: late, [other.id]: early }));
    expect((await subject.lastUseOf(one.id))!.getTime()).toBeGreaterThan(oneUse.getTime());
    // Another minute may have begun.
    expect((await subject.lastUseOf(other.id))!.getTime()).toBeGreaterThanOrEqual(otherUse.getTime());
  });
});
