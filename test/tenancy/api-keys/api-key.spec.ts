import { ApiKey } from '../../../src/tenancy/api-keys/api-key';

const now = Date.UTC(2026, 5, 10);
const secret = 'svc_live_abcdefghijkl';
const issued = (expiresAt: Date | null = null) =>
  ApiKey.issue({ accountId: 'account', userId: 'user', name: 'CI', expiresAt }, secret) as ApiKey;

test('a new key shows the first characters of its secret, and is neither used nor revoked', () => {
  expect(issued()).toMatchObject({ name: 'CI', prefix: 'svc_live_abcd', lastUsedAt: null, revokedAt: null });
  expect(JSON.stringify(issued())).not.toContain(secret);
});

test.each<[string, Date | null, boolean]>([
  ['without expiry date', null, true],
  ['a millisecond before its expiry date', new Date(now + 1), true],
  ['at its expiry date', new Date(now), false],
  ['after its expiry date', new Date(now - 1), false],
])('%s', (_, expiresAt, valid) => {
  expect(issued(expiresAt).isValidAt(now)).toBe(valid);
});

test('a revoked key is not valid, and keeps its first date', () => {
  const at = new Date(now);
  const revoked = Object.assign(issued(), issued().revoke(at));
  expect(revoked.isValidAt(now)).toBe(false);
  expect(revoked.revoke(new Date(now + 1))).toEqual({ revokedAt: at });
});
