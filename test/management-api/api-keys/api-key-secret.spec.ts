import { createHmac } from 'node:crypto';
import {
  digestOf,
  looksLikeApiKey,
  mintApiKey,
  shownPrefix,
} from '../../../src/management-api/api-keys/api-key-secret';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'svc_live_';
const keys = Array.from({ length: 10_000 }, mintApiKey);

test('keys are svc_live_ and 46 characters of base62, none twice', () => {
  expect(keys.filter((key) => !/^svc_live_[0-9A-Za-z]{46}$/.test(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.every(looksLikeApiKey)).toBe(true);
});

test('every character of base62 comes at every random place, none much more than others', () => {
  const seen = Array.from({ length: 40 }, () => new Map<string, number>());
  for (const key of keys) seen.forEach((counts, at) => counts.set(key[9 + at]!, (counts.get(key[9 + at]!) ?? 0) + 1));
  for (const counts of seen) {
    expect([...counts.keys()].sort().join('')).toBe(base62);
    // 161 are expected, with a standard deviation of 13.
    expect(Math.max(...counts.values())).toBeLessThan(161 + 8 * 13);
  }
});

test('the checksum tells every single changed character', () => {
  for (const key of keys.slice(0, 10))
    for (let at = prefix.length; at < key.length; at++)
      for (const other of base62) {
        const changed = key.slice(0, at) + other + key.slice(at + 1);
        if (looksLikeApiKey(changed) !== (other === key[at])) throw new Error(`not told: ${key} and ${changed}`);
      }
});

test('the checksum tells every swap of neighbours', () => {
  for (const key of keys.slice(0, 500))
    for (let at = prefix.length; at < key.length - 1; at++) {
      const swapped = key.slice(0, at) + key[at + 1]! + key[at]! + key.slice(at + 2);
      if (swapped !== key && looksLikeApiKey(swapped)) throw new Error(`not told: ${key} and ${swapped}`);
    }
});

test.each<[string, (key: string) => string]>([
  ['empty', () => ''],
  ['the prefix alone', () => prefix],
  ['without the prefix', (key) => key.slice(prefix.length)],
  ['another prefix', (key) => key.replace('live', 'test')],
  ['a prefix in capitals', (key) => key.replace('svc', 'SVC')],
  ['one character less', (key) => key.slice(0, -1)],
  ['one character more', (key) => `${key}0`],
  ['a line break after it', (key) => `${key}\n`],
  ['a space before it', (key) => ` ${key}`],
  ['a character outside base62', (key) => `${key.slice(0, 20)}-${key.slice(21)}`],
  ['a digit of another script', (key) => `${key.slice(0, 20)}٣${key.slice(21)}`],
  ['letters in the other case', (key) => prefix + key.slice(prefix.length).toUpperCase()],
])('%s is no key', (_, change) => {
  expect(looksLikeApiKey(change(keys.find((key) => /[a-z]/.test(key.slice(9)))!))).toBe(false);
});

test('the digest is HMAC-SHA-256 under the pepper', () => {
  const [key] = keys as [string];
  expect(digestOf(key, 'pepper')).toEqual(createHmac('sha256', 'pepper').update(key).digest());
  expect(digestOf(key, 'other')).not.toEqual(digestOf(key, 'pepper'));
});

test('four random characters of it are shown', () => {
  expect(shownPrefix('svc_live_ABCDEFGH')).toBe('svc_live_ABCD');
});
