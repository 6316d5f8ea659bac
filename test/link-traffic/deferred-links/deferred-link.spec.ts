import { isTokenFormat, newToken, regionOf } from '../../../src/link-traffic/deferred-links/deferred-link';

test('a token names the region that issued it, in its form', () => {
  for (let region = 0; region < 16; region++) {
    const tokens = Array.from({ length: 100 }, () => newToken(region));
    expect(tokens.filter((token) => isTokenFormat(token) && regionOf(token) === region)).toEqual(tokens);
    expect(new Set(tokens).size).toBe(100);
  }
});

test('tokens keep their 128 random bits', () => {
  const ends = new Set(Array.from({ length: 1000 }, () => newToken(5).at(-1)));
  // Two random bits are in the last character.
  expect(ends.size).toBe(4);
});

test('tokens from before regions are tokens of the primary', () => {
  for (const end of ['A', 'Q', 'g', 'w']) expect(regionOf(`${'x'.repeat(21)}${end}`)).toBe(0);
});
