import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../../src/management-api/accounts/caller';
import { digestOf, mintApiKey } from '../../../src/management-api/api-keys/api-key-secret';
import type { KnownKey } from '../../../src/management-api/api-keys/api-key.repository';
import { Authenticator } from '../../../src/management-api/api-keys/authenticator';
import { LastUse } from '../../../src/management-api/api-keys/last-use';
import { Clock } from '../../../src/shared/clock';
import { FakeApiKeys } from './fake-api-keys';

const pepper = 'pepper';

class SetClock extends Clock {
  time = Date.UTC(2026, 5, 1, 12, 0, 30);

  override now(): number {
    return this.time;
  }
}

let keys: FakeApiKeys;
let clock: SetClock;
let lastUse: LastUse;
let errors: unknown[];
let authenticator: Authenticator;
beforeEach(() => {
  clock = new SetClock();
  keys = new FakeApiKeys(() => clock.now());
  errors = [];
  lastUse = new LastUse(keys, (error) => errors.push(error), 3_600_000);
  authenticator = new Authenticator(keys, lastUse, clock, pepper);
});
afterEach(() => lastUse.stop());

function aKey(expiresAt: Date | null = null): { secret: string; digest: string; caller: KnownKey['caller'] } {
  const secret = mintApiKey();
  const digest = digestOf(secret, pepper).toString('hex');
  const caller = { accountId: 'account', plan: 'pro' as const, userId: 'user', apiKeyId: digest.slice(0, 8) };
  keys.known.set(digest, { caller, expiresAt });
  return { secret, digest, caller };
}

/** As a request does it. */
async function identify(secret: string): Promise<Caller | null> {
  const digest = authenticator.digest(secret);
  return digest === null ? null : authenticator.caller(digest);
}

test('a known key is its caller, an unknown one nobody', async () => {
  const { secret, caller } = aKey();
  expect(await identify(secret)).toEqual(caller);
  expect(await identify(mintApiKey())).toBeNull();
});

test('a mistyped key costs no query', async () => {
  const { secret } = aKey();
  for (const mistyped of [
    '',
    'x',
    secret.slice(1),
    `${secret}x`,
    secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  ])
    expect(await identify(mistyped)).toBeNull();
  expect(keys.lookups).toBe(0);
});

test('requests that come together share one query, however many', async () => {
  const { secret, caller } = aKey();
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  keys.beforeLookupEnds = () => answered;
  const callers = Array.from({ length: 100 }, () => identify(secret));
  answer();
  expect(await Promise.all(callers)).toEqual(Array.from({ length: 100 }, () => caller));
  expect(keys.lookups).toBe(1);
});

test('two keys are asked for apart', async () => {
  const [one, other] = [aKey(), aKey()];
  expect(await Promise.all([identify(one.secret), identify(other.secret)])).toEqual([one.caller, other.caller]);
  expect(keys.lookups).toBe(2);
});

test('an answer is used again, but a revocation is seen within a second', async () => {
  const { secret, digest } = aKey();
  for (let sent = 0; sent < 50; sent++) await identify(secret);
  expect(keys.lookups).toBe(1);
  keys.known.delete(digest);
  await sleep(950);
  expect(await identify(secret)).toBeNull();
});

test('a revocation that was announced is seen at once', async () => {
  const { secret, digest, caller } = aKey();
  expect(await identify(secret)).toEqual(caller);
  keys.known.delete(digest);
  authenticator.forget();
  expect(await identify(secret)).toBeNull();
});

test('an answer that took long is not used for as long again: its age counts from the question', async () => {
  const { secret, digest } = aKey();
  keys.beforeLookupEnds = () => sleep(600);
  const early = identify(secret);
  keys.known.delete(digest);
  expect(await early).not.toBeNull();
  expect(await identify(secret)).toBeNull();
});

test('an unknown key is asked for each time: the one just made works at once', async () => {
  const secret = mintApiKey();
  expect(await identify(secret)).toBeNull();
  const digest = digestOf(secret, pepper).toString('hex');
  const caller = { accountId: 'a', plan: 'free' as const, userId: 'u', apiKeyId: 'k' };
  keys.known.set(digest, { caller, expiresAt: null });
  expect(await identify(secret)).toEqual(caller);
});

test('a query that fails fails those who waited, and is not remembered', async () => {
  const { secret, caller } = aKey();
  keys.beforeLookupEnds = () => Promise.reject(new Error('down'));
  const waiting = await Promise.allSettled([identify(secret), identify(secret)]);
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  keys.beforeLookupEnds = async () => {};
  expect(await identify(secret)).toEqual(caller);
});

test('a key ends at its expiry to the millisecond, remembered or not', async () => {
  const { secret, caller } = aKey(new Date(clock.time + 1000));
  expect(await identify(secret)).toEqual(caller);
  clock.time += 999;
  expect(await identify(secret)).toEqual(caller);
  clock.time += 1;
  expect(await identify(secret)).toBeNull();
});

test('what is remembered is bounded', async () => {
  const first = aKey();
  await identify(first.secret);
  for (let count = 0; count < 10_001; count++) await authenticator.caller(aKey().digest);
  const before = keys.lookups;
  await identify(first.secret);
  expect(keys.lookups).toBe(before + 1);
});

describe('last use', () => {
  const at = (time: string) => new Date(`2026-06-01T${time}Z`);

  test('is kept to the minute and written later, once a minute and key', async () => {
    const [one, other] = [aKey(), aKey()];
    for (let sent = 0; sent < 10; sent++) await identify(one.secret);
    await identify(other.secret);
    expect(keys.writes).toBe(0);
    await lastUse.flush();
    await identify(one.secret);
    await lastUse.flush();
    expect(keys.writes).toBe(1);
    expect(keys.lastUses).toEqual(
      new Map([
        [one.caller.apiKeyId, at('12:00:00')],
        [other.caller.apiKeyId, at('12:00:00')],
      ]),
    );
    clock.time += 30_000;
    await identify(one.secret);
    await lastUse.flush();
    expect(keys.writes).toBe(2);
    expect(keys.lastUses.get(one.caller.apiKeyId)).toEqual(at('12:01:00'));
    expect(keys.lastUses.get(other.caller.apiKeyId)).toEqual(at('12:00:00'));
  });

  test('of a refused key is none', async () => {
    await identify(mintApiKey());
    await identify(aKey(new Date(clock.time)).secret);
    await lastUse.flush();
    expect(keys.writes).toBe(0);
  });

  test('is not lost when a write fails, nor does the request fail', async () => {
    const { secret, caller } = aKey();
    keys.beforeWrite = () => Promise.reject(new Error('down'));
    expect(await identify(secret)).toEqual(caller);
    await lastUse.flush();
    expect(errors).toHaveLength(1);
    keys.beforeWrite = async () => {};
    await lastUse.flush();
    expect(keys.lastUses).toEqual(new Map([[caller.apiKeyId, at('12:00:00')]]));
  });

  test('that came while an older one failed to be written is the one kept', async () => {
    const { secret, caller } = aKey();
    let fail!: (error: Error) => void;
    keys.beforeWrite = () => new Promise((_, reject) => (fail = reject));
    await identify(secret);
    const writing = lastUse.flush();
    clock.time += 60_000;
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
