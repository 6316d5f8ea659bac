import { type Color, contrast, hexOf } from '../../../src/links/qr-codes/color';
import { color } from '../../../src/links/qr-codes/color-rule';

const read = (hex: string): Color => color('000000').parse(hex);

// Source of the ratios: WebAIM's contrast checker.
test.each([
  ['000000', 'ffffff', 21],
  ['ffffff', 'ffffff', 1],
  ['767676', 'ffffff', 4.54],
  ['777777', 'ffffff', 4.48],
  ['949494', 'ffffff', 3.03],
  ['959595', 'ffffff', 2.99],
  ['ff0000', 'ffffff', 3.99],
  ['00ff00', 'ffffff', 1.37],
  ['0000ff', 'ffffff', 8.59],
  ['ffff00', 'ffffff', 1.07],
  ['ff0000', '0000ff', 2.14],
  ['0a0a0a', '000000', 1.06],
])('the contrast of %s and %s is %d:1 in both orders', (one, other, ratio) => {
  expect(Math.floor(contrast(read(one), read(other)) * 100 + 1e-9) / 100).toBeCloseTo(ratio, 1);
  expect(contrast(read(one), read(other))).toBeGreaterThan(ratio - 0.01);
  expect(contrast(read(one), read(other))).toBeLessThan(ratio + 0.01);
  expect(contrast(read(other), read(one))).toBe(contrast(read(one), read(other)));
});

test.each([
  ['000000', [0, 0, 0]],
  ['1a2B3c', [26, 43, 60]],
  ['FFFFFF', [255, 255, 255]],
])('the colour %s is read as %j', (hex, parts) => {
  expect(read(hex)).toEqual(parts);
  expect(hexOf(read(hex))).toBe(hex.toLowerCase());
});

// WCAG's formula is linear up to the value 10 and exponential from 11.
test.each([
  ['0a0a0a', 0.05 + 10 / 255 / 12.92],
  ['0b0b0b', 0.05 + ((11 / 255 + 0.055) / 1.055) ** 2.4],
])('the contrast of %s and black follows the WCAG formula', (hex, light) => {
  expect(contrast(read(hex), read('000000'))).toBeCloseTo(light / 0.05, 10);
});

test.each(['', '12345', '1234567', '#123456', '12345g', '0x1234', '123456\n'])('the colour %j is refused', (given) => {
  expect(color('000000').safeParse(given)).toEqual({
    problems: [{ code: 'invalid_format', path: [], message: 'must be six hex digits such as 1a2b3c' }],
  });
});

test('the rule has a JSON schema', () => {
  expect(color('1a2b3c').schema).toEqual({ type: 'string', pattern: '^[0-9A-Fa-f]{6}$', default: '1a2b3c' });
});
