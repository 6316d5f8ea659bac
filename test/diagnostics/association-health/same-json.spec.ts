import { isSameJson } from '../../../src/diagnostics/association-health/host-probe';

const isSame = (text: string, expected: string): boolean => isSameJson(Buffer.from(text), expected);

const json = JSON.stringify({ '/': '*', exclude: true, ids: ['a.b', 'ü😀"\\'], n: -1.5 });

test.each([
  ['the same text', json],
  ['other white space', JSON.stringify(JSON.parse(json), null, '\t ')],
  ['white space at both ends', `\r\n ${json}\n`],
  ['escaped slashes', json.replace('"/"', String.raw`"\/"`)],
  ['escaped letters', json.replace('ü', String.raw`\u00fc`).replace('a.b', String.raw`\u0061.b`)],
  ['an escaped surrogate pair', json.replace('😀', String.raw`\uD83D\ude00`)],
  ['a quotation mark as its code', json.replace(String.raw`\"`, String.raw`\u0022`)],
])('%s is the same', (_, text) => {
  expect(JSON.parse(text)).toEqual(JSON.parse(json));
  expect(isSame(text, json)).toBe(true);
});

test.each([
  ['another value', json.replace('a.b', 'a.c')],
  ['another order of members', JSON.stringify({ exclude: true, '/': '*', ids: ['a.b', 'ü😀"\\'], n: -1.5 })],
  ['the beginning', json.slice(0, -1)],
  ['something after it', `${json}]`],
  ['white space inside a literal', json.replace('true', 'tr ue')],
  ['white space inside a number', json.replace('-1.5', '-1 .5')],
  ['white space inside a string', json.replace('a.b', 'a. b')],
  ['a byte order mark', `\ufeff${json}`],
  ['nothing', ''],
  ['more values than the expected text can have', `[${'{},'.repeat(10_000)}0]`],
])('%s is different', (_, text) => {
  expect(isSame(text, json)).toBe(false);
});

test('a quotation mark inside a string does not end it', () => {
  expect(isSame(String.raw`["a\",\"b"]`, '["a","b"]')).toBe(false);
});
