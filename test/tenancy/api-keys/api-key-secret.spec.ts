import { createHmac } from 'node:crypto';
import { digestOfKey, looksLikeApiKey, mintApiKey, shownPrefix } from '../../../src/tenancy/api-keys/api-key-secret';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'svc_live_';
const keys = Array.from({ length: 10_000 }, mintApiKey);

test('a key consists of svc_live_ and 46 base62 characters, and is unique', () => {
  expect(keys.filter((key) => !/^svc_live_[0-9A-Za-z]{46}$/.test(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.every(looksLikeApiKey)).toBe(true);
});

test('a publishable key has another prefix', () => {
  const key = mintApiKey(true);
  expect(key).toMatch(/^svc_pub_[0-9A-Za-z]{46}$/);
  expect(looksLikeApiKey(key)).toBe(true);
});

test('every base62 character occurs about equally often at every random position', () => {
  const seen = Array.from({ length: 40 }, () => new Map<string, number>());
  for (const key of keys) seen.forEach((counts, at) => counts.set(key[9 + at]!, (counts.get(key[9 + at]!) ?? 0) + 1));
  for (const counts of seen) {
    expect([...counts.keys()].sort().join('')).toBe(base62);
    // The mean is 161 and the standard deviation 13.
    expect(Math.max(...counts.values())).toBeLessThan(161 + 8 * 13);
  }
});

test('the checksum detects every change of one character', () => {
  for (const key of keys.slice(0, 10))
    for (let at = prefix.length; at < key.length; at++)
      for (const other of base62) {
        const changed = key.slice(0, at) + other + key.slice(at + 1);
        if (looksLikeApiKey(changed) !== (other === key[at])) throw new Error(`undetected: ${key} and ${changed}`);
      }
});

test('the checksum detects every swap of adjacent characters', () => {
  for (const key of keys.slice(0, 500))
    for (let at = prefix.length; at < key.length - 1; at++) {
      const swapped = key.slice(0, at) + key[at + 1]! + key[at]! + key.slice(at + 2);
      if (swapped !== key && looksLikeApiKey(swapped)) throw new Error(`undetected: ${key} and ${swapped}`);
    }
});

test.each<[string, (key: string) => string]>([
  ['an empty string', () => ''],
  ['only the prefix', () => prefix],
  ['a key without the prefix', (key) => key.slice(prefix.length)],
  ['another prefix', (key) => key.replace('live', 'test')],
  ['an upper-case prefix', (key) => key.replace('svc', 'SVC')],
  ['a key with one character less', (key) => key.slice(0, -1)],
  ['a key with one more character', (key) => `${key}0`],
  ['a trailing line break', (key) => `${key}\n`],
  ['a leading space', (key) => ` ${key}`],
  ['a character outside base62', (key) => `${key.slice(0, 20)}-${key.slice(21)}`],
  ['a digit of another script', (key) => `${key.slice(0, 20)}٣${key.slice(21)}`],
  ['upper-case letters', (key) => prefix + key.slice(prefix.length).toUpperCase()],
])('looksLikeApiKey returns false for %s', (_, change) => {
  expect(looksLikeApiKey(change(keys.find((key) => /[a-z]/.test(key.slice(9)))!))).toBe(false);
});

test('digestOf returns the HMAC-SHA-256 of the key with the pepper', () => {
  const [key] = keys as [string];
  expect(digestOfKey(key, 'pepper')).toEqual(createHmac('sha256', 'pepper').update(key).digest());
  expect(digestOfKey(key, 'other')).not.toEqual(digestOfKey(key, 'pepper'));
});

test('shownPrefix returns the prefix with four random characters', () => {
  expect(shownPrefix('svc_live_ABCDEFGH')).toBe('svc_live_ABCD');
});
