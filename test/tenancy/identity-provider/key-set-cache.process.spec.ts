import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually';
import { aProviderKey, IdentityProvider } from '../../support/identity-provider';
import { Program } from '../../support/process';
import { aService, withService } from '../../support/service';
import { SteadyClock } from '../../support/steady-clock';
import { aTemporaryFolder } from '../../support/temporary-folder';
import { fixtureOfEach } from '../../support/fixtures';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const provider = fixtureOfEach(() => IdentityProvider.start());
const on = fixtureOfEach(() => aService(provider.environment));
const clock = fixtureOfEach(() => new SteadyClock(() => on.database.query('SELECT')));
const account = fixtureOfEach(() => on.anAccount());
beforeEach(() => void (provider.now = () => on.clock.now()));

/** Returns the status, and the milliseconds that it took by the steady clock and in all. */
async function ask(token = provider.token(account.accountId)) {
  const [from, steadyFrom] = [performance.now(), clock.now()];
  const { status } = await on.api('get', '/projects', token);
  return { status, took: clock.now() - steadyFrom, waited: performance.now() - from };
}

const statusOf = async (token?: string): Promise<number> => (await ask(token)).status;

/** Waits until the keys are loaded and the cooldown is over, so that an unknown key makes the service load them again. */
async function settled(): Promise<void> {
  expect(await statusOf()).toBe(200);
  on.clock.ahead += 11 * second;
}

describe('rotation', () => {
  test('a new key is found by the first token that it signed', async () => {
    await settled();
    const old = provider.token(account.accountId);
    provider.rotate({ keep: true });
    expect(await statusOf()).toBe(200);
    expect(await statusOf(old)).toBe(200);
    expect(provider.asked).toBe(2);
  });

  test('of a hundred first tokens at once, one makes the service look', async () => {
    await settled();
    provider.rotate();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => statusOf(provider.token(account.accountId, { jti: String(at) }))),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(provider.asked).toBe(2);
  });

  test('refuses a removed key, and cached tokens that it signed', async () => {
    await settled();
    const old = provider.token(account.accountId);
    expect(await statusOf(old)).toBe(200);
    provider.rotate();
    expect(await statusOf()).toBe(200);
    expect(await statusOf(old)).toBe(401);
  });

  test('a key with the kid of an old one takes its place', async () => {
    await settled();
    const old = provider.key;
    const stolen = provider.token(account.accountId);
    const key = aProviderKey();
    provider.rotate({ key: { ...key, kid: old.kid, jwk: { ...key.jwk, kid: old.kid } } });
    expect(await statusOf()).toBe(401); // its signature is wrong by the key that is known
    expect(await statusOf(provider.token(account.accountId, {}, { kid: 'makes it look' }))).toBe(401);
    expect(await statusOf()).toBe(200);
    expect(await statusOf(stolen)).toBe(401);
  });
});

describe('forged key ids', () => {
  // Only `ahead` moves the clock of the service from now on, however slow the machine is.
  beforeEach(() => on.clock.stop());

  const forged = (at: number) => provider.token(account.accountId, {}, { kid: `forged-${at}` });

  test('make the service look once in ten seconds, however many come', async () => {
    await settled();
    for (let round = 1; round <= 3; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => statusOf(forged(at))));
      expect(new Set(answers)).toEqual(new Set([401]));
      expect(provider.asked).toBe(1 + round);
      on.clock.ahead += 9 * second;
      expect(await statusOf(forged(0))).toBe(401);
      expect(provider.asked).toBe(1 + round);
      on.clock.ahead += 2 * second;
    }
  });

  test('of an algorithm that is not allowed make nobody look', async () => {
    await settled();
    expect(await statusOf(provider.token(account.accountId, {}, { kid: 'x', alg: 'HS256' }))).toBe(401);
    expect(await statusOf(provider.token(account.accountId, {}, { kid: 'x', crit: ['x'], x: 1 }))).toBe(401);
    expect(provider.asked).toBe(1);
  });
});

describe('while the provider', () => {
  const troubles: [string, () => void | Promise<void>][] = [
    ['is down', () => provider.goDown()],
    ['is frozen', () => provider.freeze()],
    ['answers 500', () => provider.answerWith(500, 'oops')],
    ['answers 404 with a page', () => provider.answerWith(404, '<html>')],
    ['answers 200 with a page', () => provider.answerWith(200, '<html>')],
    ['answers with JSON that is no key set', () => provider.answerWith(200, '[1]')],
    ['answers with an empty key set', () => provider.answerWith(200, '{"keys":[]}')],
    ['answers with keys that are none', () => provider.answerWith(200, '{"keys":[null,1,"x",{},{"kty":"EC"}]}')],
    ['answers with private keys', () => provider.answerWith(200, privateKeySet())],
    ['redirects elsewhere', () => provider.answerWith(302, '', { Location: provider.url })],
    ['answers without end', () => provider.answerWith(200, `{"keys":[${' '.repeat(1_000_000)}`)],
  ];

  const privateKeySet = () =>
    JSON.stringify({ keys: [{ ...provider.key.privateKey.export({ format: 'jwk' }), kid: provider.key.kid }] });

  test.each(troubles)('%s, known keys open as before, unknown ones do not, and it heals', async (_, begin) => {
    await settled();
    const known = provider.token(account.accountId);
    await begin();
    const before = provider.key;
    provider.rotate();
    const unknown = provider.token(account.accountId);
    const [asked, ...others] = await Promise.all([ask(unknown), ...Array.from({ length: 20 }, () => ask(known))]);
    expect(asked.status).toBe(401);
    expect(asked.took).toBeLessThan(3 * second);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    // A token of a known key that is not remembered yet.
    provider.rotate({ key: before });
    const fresh = await ask(provider.token(account.accountId, { sub: 'bob' }));
    expect(fresh.status).toBe(200);
    expect(fresh.took).toBeLessThan(second);

    await provider.comeBack();
    provider.rotate();
    await eventually(async () => {
      on.clock.ahead += 11 * second;
      return (await statusOf()) === 200;
    });
  });

  test('is down, known keys are accepted for at most a day', async () => {
    await settled();
    await provider.goDown();
    on.clock.ahead += 23 * hour;
    expect(await statusOf()).toBe(200);
    const last = provider.token(account.accountId, { exp: Math.floor(provider.now() / 1000) + 10 * 3600 });
    expect(await statusOf(last)).toBe(200);
    on.clock.ahead += hour;
    expect(await statusOf()).toBe(401);
    expect(await statusOf(last)).toBe(401);
    await provider.comeBack();
    on.clock.ahead += 11 * second;
    expect(await statusOf(last)).toBe(200);
  });

  test('is down when the service starts, keys open the API, and tokens as soon as it is up', async () => {
    await provider.goDown();
    await withService(provider.environment, on.database, async (service) => {
      const ask = (credential: string) => service.api('get', '/projects', credential);
      await ask(account.key).expect(200);
      expect(await ask(provider.token(account.accountId))).toBeRefusedWith('UNAUTHORIZED');
      await provider.comeBack();
      service.clock.ahead += 11 * second;
      await ask(provider.token(account.accountId)).expect(200);
    });
  });
});

test('detects a key removed from the key set within five minutes without any request', async () => {
  jest.useFakeTimers({
    doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'performance', 'Date', 'queueMicrotask'],
  });
  try {
    const service = await aService(provider.environment, on.database);
    const ask = (token: string) => service.api('get', '/projects', token);
    const old = provider.token(account.accountId);
    await ask(old).expect(200);
    provider.rotate();
    await ask(old).expect(200);
    const before = provider.asked;
    jest.advanceTimersByTime(5 * minute);
    await eventually(() => provider.asked > before);
    await eventually(async () => (await ask(old)).status === 401);
    await service.stop();
    const { asked } = provider;
    jest.advanceTimersByTime(hour);
    await sleep(50);
    expect(provider.asked).toBe(asked);
  } finally {
    jest.useRealTimers();
  }
});

describe('a file of keys', () => {
  const file = join(aTemporaryFolder(), 'jwks.json');

  const environment = (path = file) => ({
    DASHBOARD_JWKS_FILE: path,
    DASHBOARD_ISSUER: provider.issuer,
    DASHBOARD_AUDIENCE: provider.audience,
  });

  /** As mounted volumes are changed: at once, or not at all. */
  function write(keySet: string): void {
    writeFileSync(`${file}.new`, keySet);
    renameSync(`${file}.new`, file);
  }

  test('needs no provider, and is read again when a token has an unknown key', async () => {
    write(provider.keySet);
    const { asked } = provider;
    await withService(environment(), on.database, async (service) => {
      const ask = () => service.api('get', '/projects', provider.token(account.accountId));
      await ask().expect(200);
      provider.rotate();
      write(provider.keySet);
      service.clock.ahead += 11 * second;
      await ask().expect(200);
      rmSync(file);
      await ask().expect(200);
      expect(provider.asked).toBe(asked);
    });
  });

  test.each<[string, string, () => void]>([
    ['is missing', '/nonexistent/jwks.json', () => {}],
    ['has no public key', file, () => write('{"keys":[{"kty":"oct","k":"AAAA"}]}')],
  ])('that %s ends the program at once, with one line', async (_, path, prepare) => {
    prepare();
    const program = new Program('main', { DATABASE_URL: on.database.url, ...environment(path) });
    expect(await program.exit).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/^DASHBOARD_JWKS_FILE: [^\n]+\n$/);
  });
});
