import { fingerprints } from '../../../src/links/apps/android-identifiers';
import { sentAppStoreId } from '../../../src/links/apps/ios-identifiers';
import { aFingerprint } from '../../support/builders';

const [a, b, c] = [aFingerprint(170), aFingerprint(11), aFingerprint(204)];
const hexOf = (fingerprint: string) => fingerprint.replaceAll(':', '');
const many = (count: number) => Array.from({ length: count }, (_, at) => aFingerprint(at));

test.each([
  ['50 fingerprints', many(50), many(50)],
  ['lower-case and mixed-case ones', [a.toLowerCase(), b.replaceAll('B', 'b')], [a, b]],
  ['duplicates once, in the order of first use', [b, c.toLowerCase(), a, b.toLowerCase(), c], [b, c, a]],
  ['50 equal ones once', Array<string>(50).fill(a), [a]],
  ['one without colons', [hexOf(a).toLowerCase(), a], [a]],
  ['the lines of keytool', [`SHA256: ${a}`, `\t SHA256: ${b}`], [a, b]],
  ['the line of apksigner', [`SHA-256 digest: ${hexOf(a)}`], [a]],
  ['its line with a number', [`Signer #1 certificate SHA-256 digest: ${hexOf(b).toLowerCase()}`], [b]],
  ['its line with a scheme and a colon', [`V3.0 Signer: certificate SHA-256 digest: ${hexOf(a)}`], [a]],
  [
    'its line with versions of Android',
    [`Signer (minSdkVersion=33 (dev release=true), maxSdkVersion=2147483647) certificate SHA-256 digest: ${hexOf(c)}`],
    [c],
  ],
  ['the line of the signing report of Gradle', [`SHA-256: ${a}`], [a]],
  ['a label without white space', [`sha256:${a}`], [a]],
])('fingerprints are read from %s', (_, sent, stored) => {
  expect(fingerprints({ minItems: 1 }).safeParse(sent)).toEqual({ value: stored });
});

test.each([
  ['an empty string', ''],
  ['31 pairs', a.slice(3)],
  ['33 pairs', `${a}:00`],
  ['31 pairs without colons', hexOf(a.slice(3))],
  ['a missing colon', a.replace(':', '')],
  ['a digest with another label', `SHA1: ${a}`],
  ['another prefix', `SHA512:${a}`],
  ['a label without a digest', 'SHA256: '],
  ['hyphens', a.replaceAll(':', '-')],
  ['a letter that is not a hex digit', `G${a.slice(1)}`],
  ['leading white space', ` ${a}`],
  ['a line break', `${a}\n`],
  ['NUL', `${a}\0`],
  ['a lone surrogate', '\ud800'],
  ['the signer of a source stamp', `Source Stamp Signer certificate SHA-256 digest: ${hexOf(a)}`],
])('a fingerprint is refused with %s', (_, invalid) => {
  expect(fingerprints({ minItems: 1 }).safeParse([a, invalid, b])).toMatchObject({
    problems: [{ code: 'invalid_format', path: [1] }],
  });
});

test.each([
  ['SHA-1', a.slice(0, 59)],
  ['SHA-1', hexOf(a.slice(0, 59)).toLowerCase()],
  ['SHA-1', `SHA1: ${a.slice(0, 59)}`],
  ['SHA-1', `Signer #1 certificate SHA-1 digest: ${hexOf(a.slice(0, 59))}`],
  ['MD5', `MD5: ${a.slice(0, 47)}`],
])('the message names the digest %s of %j', (digest, sent) => {
  const message = `is the ${digest} fingerprint; send the SHA-256 fingerprint, which has 32 bytes`;
  expect(fingerprints({ minItems: 1 }).safeParse([sent])).toMatchObject({ problems: [{ path: [0], message }] });
});

test('every invalid fingerprint is named', () => {
  const { problems } = fingerprints({ minItems: 1 }).safeParse(['x', a, null, 7]) as { problems: object[] };
  expect(problems).toMatchObject([
    { code: 'invalid_format', path: [0] },
    { code: 'invalid_type', path: [2] },
    { code: 'invalid_type', path: [3] },
  ]);
});

test.each([
  ['id123456789', '123456789'],
  [`id${'1'.repeat(20)}`, '1'.repeat(20)],
])('the App Store id %s is read as %s', (sent, read) => {
  expect(sentAppStoreId.safeParse(sent)).toEqual({ value: read });
});
