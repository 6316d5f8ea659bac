import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { IdentityProviderSettings } from '../../../src/tenancy/identity-provider/identity-provider-settings';
import { TokenRefused, TokenVerifier } from '../../../src/tenancy/identity-provider/token-verifier';
import { compact, IdentityProvider, signedBy } from '../../support/identity-provider';

const accountId = '0198c0de-7e57-7000-8000-000000000005';

const clock = { time: Date.UTC(2026, 5, 1), now: (): number => clock.time };

const maxVerified = 200;

let provider: IdentityProvider;
let verifier: TokenVerifier;
/** Each is a signature that was verified. */
let looks: number;
let keySet: { getKey: JWTVerifyGetKey; version: number };
beforeEach(() => {
  provider = new IdentityProvider();
  clock.time = Date.UTC(2026, 5, 1);
  provider.now = clock.now;
  looks = 0;
  keySet = {
    getKey: (header, token) => {
      looks++;
      return createLocalJWKSet(JSON.parse(provider.keySet) as JSONWebKeySet)(header, token);
    },
    version: 1,
  };
  const settings: IdentityProviderSettings = {
    keySet: { file: '' },
    issuer: provider.issuer,
    audience: provider.audience,
    algorithms: ['ES256'],
    clockSkewSeconds: 30,
    claims: { user: 'sub', account: 'account_id', email: 'email', groups: 'groups' },
  };
  verifier = new TokenVerifier(settings, keySet, clock, maxVerified);
});

const ann = { accountId, issuer: 'https://id.example.com/tenant', subject: 'ann', email: null, groups: [] };

test('a burst of requests with one token verifies it once', async () => {
  const token = provider.token(accountId);
  expect(await verifier.verify(token)).toEqual(ann);
  for (let sent = 0; sent < 100; sent++) expect(await verifier.verify(token)).toEqual(ann);
  expect(looks).toBe(1);
});

test.each(['1e999', '-1e999'])('a token whose exp is %s is refused', async (exp) => {
  const claims = JSON.stringify(provider.claims({ account_id: accountId, exp: 0 })).replace('"exp":0', `"exp":${exp}`);
  await expect(verifier.verify(compact(provider.header, claims, signedBy(provider.key)))).rejects.toThrow(TokenRefused);
});

test('a remembered token is held to its times, to the second', async () => {
  const second = 1000;
  const start = clock.time;
  const at = (seconds: number) => start / 1000 + seconds;
  const token = provider.token(accountId, { nbf: at(100), exp: at(200) });
  const verified = async (seconds: number) => {
    clock.time = start + seconds * second;
    return verifier.verify(token).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  };
  expect(await verified(69)).toBe('claim nbf');
  expect(await verified(70)).toBe('accepted');
  expect(await verified(229.9)).toBe('accepted');
  expect(await verified(230)).toBe('expired');
  expect(await verified(69)).toBe('not yet valid');
  expect(looks).toBe(2);
});

test('other keys make it verify again what is remembered', async () => {
  const token = provider.token(accountId);
  await verifier.verify(token);
  provider.rotate();
  await verifier.verify(token);
  keySet.version++;
  await expect(verifier.verify(token)).rejects.toThrow('ERR_JWKS_NO_MATCHING_KEY');
});

test('does not cache refused tokens', async () => {
  const token = provider.token(accountId, {}, { kid: 'x' });
  for (let sent = 1; sent <= 3; sent++) {
    await expect(verifier.verify(token)).rejects.toThrow('ERR_JWKS_NO_MATCHING_KEY');
    expect(looks).toBe(sent);
  }
});

test('distinguishes tokens that differ in one character', async () => {
  const token = provider.token(accountId);
  await verifier.verify(token);
  for (const at of [5, token.indexOf('.') + 5, token.lastIndexOf('.') + 5]) {
    const other = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    await expect(verifier.verify(other)).rejects.toThrow();
  }
});

test('bounds the cache of verified tokens', async () => {
  const first = provider.token(accountId);
  await verifier.verify(first);
  for (let count = 0; count < maxVerified; count++)
    await verifier.verify(provider.token(accountId, { jti: String(count) }));
  const before = looks;
  await verifier.verify(first);
  expect(looks).toBe(before + 1);
});

test('ignores credentials that are too long or do not look like a token', () => {
  const long = (length: number) => `${'x'.repeat(length - 4)}.x.x`;
  expect(verifier.looksLikeToken(long(8192))).toBe(true);
  for (const given of [
    long(8193),
    long(1_000_000),
    '',
    '.',
    '..',
    'a',
    'a.b',
    'a.b.',
    '.a.b',
    'a.b.c.d',
    'a.b.c=',
    'a.b.c+/',
    'ä.b.c',
  ])
    expect([given.slice(0, 20), verifier.looksLikeToken(given)]).toEqual([given.slice(0, 20), false]);
});
