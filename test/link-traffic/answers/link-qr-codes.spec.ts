import { linkQrCode } from '../../../src/link-routing/pages/link-qr-code';
import { drawLimit, LinkQrCodes } from '../../../src/link-traffic/answers/link-qr-codes';

const plain = 'https://summer.go.example.com/sale?_via=qr';
const withParameter = (n: number | string) => `https://summer.go.example.com/sale?a=${n}&_via=qr`;

let now: number;
let codes: LinkQrCodes;
beforeEach(() => {
  now = 1_000_000;
  codes = new LinkQrCodes(100_000, { now: () => now });
});

const textOf = (url: string) => codes.codeOf(url, plain)?.text;
const drawn = (url: string) => linkQrCode(url)?.text;

/** Draws other codes until none is left. */
const exhaust = () => Array.from({ length: drawLimit.codes }, (_, at) => textOf(withParameter(`other${at}`)));

test('a code with parameters is that of its URL', () => {
  expect(textOf(withParameter(1))).toBe(drawn(withParameter(1)));
  expect(drawn(withParameter(1))).not.toBe(drawn(plain));
});

test('beyond the limit, a new code is that of the link without parameters, and known codes stay', () => {
  expect(textOf(withParameter(1))).toBe(drawn(withParameter(1)));
  exhaust();
  expect(textOf(withParameter(2))).toBe(drawn(plain));
  expect(textOf(withParameter(1))).toBe(drawn(withParameter(1)));
});

test('the limit recovers with time', () => {
  exhaust();
  expect(textOf(withParameter(1))).toBe(drawn(plain));
  now += drawLimit.windowMs;
  expect(textOf(withParameter(1))).toBe(drawn(withParameter(1)));
  now += 60_000;
  const texts = exhaust();
  expect(texts).toEqual(texts.map((_, at) => drawn(withParameter(`other${at}`))));
});

test('a URL that is too long has the code of the link without parameters, and does not count', () => {
  const long = withParameter('x'.repeat(400));
  for (let at = 0; at < 2 * drawLimit.codes; at++) expect(textOf(long)).toBe(drawn(plain));
  expect(textOf(withParameter(1))).toBe(drawn(withParameter(1)));
});

test('a link that is too long without parameters has no code', () => {
  const long = withParameter('x'.repeat(400));
  expect(codes.codeOf(`${long}&b`, long)).toBeNull();
});
