import type { Visitor } from '../../../src/link-routing/visitor/visitor';
import { VisitorCache } from '../../../src/link-routing/visitor/visitor-cache';
import { aVisitor } from '../builders';

/** Classifies each call as a new object, which shows whether the cache was used. */
const classify = (): Visitor => aVisitor();

test('visitors are cached by all headers', () => {
  const cache = new VisitorCache(10_000);
  const first = cache.get({ userAgent: 'a', clientHint: 'b', embeddingApp: '' }, classify);
  expect(cache.get({ userAgent: 'a', clientHint: 'b', embeddingApp: '' }, classify)).toBe(first);
  for (const [userAgent, clientHint, embeddingApp] of [
    ['a', '', ''],
    ['b', 'a', ''],
    ['ab', '', ''],
    ['a', 'b', 'Reddit'],
    ['a', 'b', 'Slack'],
    ['a', '', 'b'],
  ] as const)
    expect(cache.get({ userAgent, clientHint, embeddingApp }, classify)).not.toBe(first);
});

test.each([
  ['a user agent of 512 characters', 512, 0, true],
  ['a longer one', 513, 0, false],
  ['a hint of 64 characters', 10, 64, true],
  ['a longer one', 10, 65, false],
])('%s: %i and %i characters, cached: %s', (_, userAgentLength, hintLength, kept) => {
  const cache = new VisitorCache(10_000);
  const headers = { userAgent: 'u'.repeat(userAgentLength), clientHint: 'h'.repeat(hintLength), embeddingApp: '' };
  expect(cache.get(headers, classify) === cache.get(headers, classify)).toBe(kept);
});

test('bytes are limited, and the user agent that was not used for longest goes first', () => {
  const cache = new VisitorCache(100_000);
  const used = cache.get({ userAgent: 'used', clientHint: '', embeddingApp: '' }, classify);
  for (let other = 0; other < 1000; other++) {
    cache.get({ userAgent: `${other} ${'x'.repeat(500)}`, clientHint: '', embeddingApp: '' }, classify);
    expect(cache.get({ userAgent: 'used', clientHint: '', embeddingApp: '' }, classify)).toBe(used);
  }
  expect(cache.size).toBeGreaterThan(100);
  expect(cache.size).toBeLessThan(200);
});
