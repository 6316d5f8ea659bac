import { unlimitedRights as rights } from '../../../src/api-kit/policy/rights';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../../src/tenancy/accounts/caller';
import { digestOfKey, mintApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import type { Log } from '../../../src/platform/observability/log';
import type { KnownKey } from '../../../src/tenancy/api-keys/caller.repository';
import { ApiKeyAuthenticator } from '../../../src/tenancy/api-keys/api-key-authenticator';
import { LastUseRecorder } from '../../../src/tenancy/api-keys/last-use-recorder';
import { Pepper } from '../../../src/tenancy/api-keys/pepper';
import { FakeApiKeys } from './fake-api-keys';

const pepper = 'pepper';

const realNow = performance.now.bind(performance);

let keys: FakeApiKeys;
let passedMs: number;
let lastUse: LastUseRecorder;
let warnings: unknown[];
let authenticator: ApiKeyAuthenticator;
beforeEach(() => {
  passedMs = 0;
  keys = new FakeApiKeys(() => Date.UTC(2026, 5, 1, 12, 0, 30) + passedMs);
  warnings = [];
  const log = { warn: (message: unknown) => warnings.push(message) } as unknown as Log;
  lastUse = new LastUseRecorder(keys, log, 3_600_000);
  authenticator = new ApiKeyAuthenticator(keys, lastUse, new Pepper(pepper));
});
afterEach(() => {
  jest.restoreAllMocks();
  return lastUse.stop();
});

const anyCaller = { accountId: 'a', plan: 'pro' as const, userId: 'u', apiKeyId: 'k', rights, stopped: null };

function aKey(validUntilMs = Infinity): { secret: string; digest: string; caller: KnownKey['caller'] } {
  const secret = mintApiKey();
  const digest = digestOfKey(secret, pepper).toString('hex');
  const caller = { ...anyCaller, apiKeyId: digest.slice(0, 8) };
  keys.known.set(digest, { caller, validUntilMs });
  return { secret, digest, caller };
}

async function identify(secret: string): Promise<Caller | null> {
  const digest = authenticator.digest(secret);
  return digest === null ? null : authenticator.findCaller(digest);
}

test('a known key returns its caller and an unknown key null', async () => {
  const { secret, caller } = aKey();
  expect(await identify(secret)).toEqual(caller);
  expect(await identify(mintApiKey())).toBeNull();
});

test('a malformed key needs no query', async () => {
  const { secret } = aKey();
  const mistyped = secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const text of ['', 'x', secret.slice(1), `${secret}x`, mistyped]) expect(await identify(text)).toBeNull();
  expect(keys.lookups).toBe(0);
});

test('concurrent requests with a key share one query', async () => {
  const { secret, caller } = aKey();
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  keys.beforeLookupEnds = () => answered;
  const callers = Array.from({ length: 100 }, () => identify(secret));
  answer();
  expect(await Promise.all(callers)).toEqual(Array.from({ length: 100 }, () => caller));
  expect(keys.lookups).toBe(1);
});

test('concurrent requests with two keys need two queries', async () => {
  const [one, other] = [aKey(), aKey()];
  expect(await Promise.all([identify(one.secret), identify(other.secret)])).toEqual([one.caller, other.caller]);
  expect(keys.lookups).toBe(2);
});

test('a cached caller expires within a second of a revocation', async () => {
  const { secret, digest } = aKey();
  // Nothing expires during the loop.
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  for (let sent = 0; sent < 50; sent++) await identify(secret);
  expect(keys.lookups).toBe(1);
  now.mockRestore();
  keys.known.delete(digest);
  await sleep(950);
  expect(await identify(secret)).toBeNull();
});

test('forget makes a revocation effective at once', async () => {
  const { secret, digest, caller } = aKey();
  expect(await identify(secret)).toEqual(caller);
  keys.known.delete(digest);
  authenticator.clearCache();
  expect(await identify(secret)).toBeNull();
});

test('the age of a cached caller counts from the start of its query', async () => {
  const { secret, digest } = aKey();
  keys.beforeLookupEnds = () => sleep(600);
  const early = identify(secret);
  keys.known.delete(digest);
  expect(await early).not.toBeNull();
  expect(await identify(secret)).toBeNull();
});

test('an unknown key is not cached, so that a new key works at once', async () => {
  const secret = mintApiKey();
  expect(await identify(secret)).toBeNull();
  const digest = digestOfKey(secret, pepper).toString('hex');
  keys.known.set(digest, { caller: anyCaller, validUntilMs: Infinity });
  expect(await identify(secret)).toEqual(anyCaller);
});

test('a failed query rejects all waiting requests and is not cached', async () => {
  const { secret, caller } = aKey();
  keys.beforeLookupEnds = () => Promise.reject(new Error('down'));
  const waiting = await Promise.allSettled([identify(secret), identify(secret)]);
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  keys.beforeLookupEnds = async () => {};
  expect(await identify(secret)).toEqual(caller);
});

test('a key expires to the millisecond, even if it is cached', async () => {
  const start = performance.now();
  const now = jest.spyOn(performance, 'now').mockReturnValue(start);
  const { secret, caller } = aKey(start + 400);
  expect(await identify(secret)).toEqual(caller);
  now.mockReturnValue(start + 399);
  expect(await identify(secret)).toEqual(caller);
  now.mockReturnValue(start + 400);
  expect(await identify(secret)).toBeNull();
  expect(keys.lookups).toBe(1);
});

test('the cache is bounded', async () => {
  // Nothing expires meanwhile.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const [first, last] = [aKey(), aKey()];
  await identify(first.secret);
  for (let count = 0; count < 10_000; count++) await authenticator.findCaller(aKey().digest);
  await identify(last.secret);
  const before = keys.lookups;
  await identify(last.secret);
  expect(keys.lookups).toBe(before);
  await identify(first.secret);
  expect(keys.lookups).toBe(before + 1);
});

describe('the last use of a key', () => {
  const at = (time: string) => new Date(`2026-06-01T${time}Z`);
  beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => realNow() + passedMs));

  test('has a precision of one minute and is written later, once per flush', async () => {
    const [one, other] = [aKey(), aKey()];
    for (let sent = 0; sent < 10; sent++) await identify(one.secret);
    await identify(other.secret);
    expect(keys.writes).toBe(0);
    await lastUse.flush();
    await lastUse.flush();
    expect(keys.writes).toBe(1);
    const ids = [one, other].map(({ caller }) => caller.apiKeyId);
    expect(keys.lastUses).toEqual(new Map(ids.map((id) => [id, at('12:00:00')])));
    passedMs += 31_000;
    await identify(one.secret);
    await lastUse.flush();
    expect(keys.writes).toBe(2);
    expect(keys.lastUses.get(one.caller.apiKeyId)).toEqual(at('12:01:00'));
    expect(keys.lastUses.get(other.caller.apiKeyId)).toEqual(at('12:00:00'));
  });

  test('is not recorded for a refused key', async () => {
    await identify(mintApiKey());
    await identify(aKey(performance.now()).secret);
    await lastUse.flush();
    expect(keys.writes).toBe(0);
  });

  test('is written again after a failed write, which does not fail the request', async () => {
    const { secret, caller } = aKey();
    keys.beforeWrite = () => Promise.reject(new Error('down'));
    expect(await identify(secret)).toEqual(caller);
    await lastUse.flush();
    expect(warnings).toHaveLength(1);
    keys.beforeWrite = async () => {};
    await lastUse.flush();
    expect(keys.lastUses).toEqual(new Map([[caller.apiKeyId, at('12:00:00')]]));
  });

  test('is the latest one if it is recorded during a failing write', async () => {
    const { secret, caller } = aKey();
    let fail!: (error: Error) => void;
    keys.beforeWrite = () => new Promise((_, reject) => (fail = reject));
    await identify(secret);
    const writing = lastUse.flush();
    passedMs += 60_000;
    await identify(secret);
    fail(new Error('down'));
    await writing;
    keys.beforeWrite = async () => {};
    await lastUse.flush();
    expect(keys.lastUses).toEqual(new Map([[caller.apiKeyId, at('12:01:00')]]));
  });

  test('is written when the process stops', async () => {
    await identify(aKey().secret);
    await lastUse.stop();
    expect(keys.lastUses.size).toBe(1);
  });
});
