import { jsonOf } from '../../../src/imports/apis/api-json';

const size = 1_999_000;
const filled = (text: string, before = '', after = ''): string =>
  before + text.repeat(Math.floor((size - before.length) / Buffer.byteLength(text))) + after;

/** Reads text, and returns its value as JSON, or the fault. */
function readingOf(text: string | Buffer): string {
  try {
    return JSON.stringify(jsonOf({ name: 'Bitly' }, Buffer.from(text)));
  } catch (error) {
    return (error as Error).message.replace(
      /^Bitly has sent an answer (.*); check the address, or import a file$/,
      '$1',
    );
  }
}

const notJson = 'that is not JSON';
const [values, depth] = ['with too many values', 'that nests arrays and objects too deep'];

test.each<[what: string, text: string | Buffer, reading: string]>([
  ['control characters in a string', '["a\x01\x1f\x00b"]', '["a   b"]'],
  ['white space in a string', '["a\t\n\r b"]', '["a    b"]'],
  ['a control character after an escaped quote', '["\\"\x01"]', String.raw`["\" "]`],
  ['a control character after an escaped backslash', '["\\\\\x01",\n1]', String.raw`["\\ ",1]`],
  ['a control character between letters of two bytes', '["é\x01é"]', '["é é"]'],
  ['an escaped control character', String.raw`["\u0001\n"]`, String.raw`["\u0001\n"]`],
  ['a control character between values', '[\x01]', '[]'],
  ['text that is not UTF-8', Buffer.from('["\xe9"]', 'latin1'), notJson],
  ['text that is not UTF-8 after a control character', Buffer.from('["\x01\xe9"]', 'latin1'), notJson],
  ['a string that ends with a backslash', '["\x01\\"\\', notJson],
  ['half of JSON', '{"links":[', notJson],
  ['nothing', '', notJson],
])('%s: %#', (_, text, reading) => {
  expect(readingOf(text).slice(0, reading.length)).toBe(reading);
});

/** Those that are read take 30 ms at most. */
test.each<[what: string, text: string, reading: string]>([
  ['control characters in a string', filled('\x01', '["', '"]'), '["    '],
  ['control characters alone', filled('\x01'), notJson],
  ['carriage returns in a string without an end', filled('\r', '["'), notJson],
  ['lines in a string', filled('abc\n', '["', '"]'), '["abc abc '],
  ['strings of a line feed', filled('"\n"'), notJson],
  ['line feeds between values', filled('\n', '["\x01"', ']'), '[" "]'],
  ['quotes', filled('"', '\x01'), notJson],
  ['quotes that begin with a control character', filled('"', '"\x01'), notJson],
  ['escaped quotes', filled(String.raw`\"`, '["\x01'), notJson],
  ['backslashes', filled('\\', '["\x01'), notJson],
  ['escaped backslashes', filled(String.raw`\\`, '["\x01', '"]'), String.raw`[" \\\\`],
  ['opening brackets', filled('['), depth],
  ['opening brackets in a string', filled('[', '["', '"]'), '["[[[['],
  ['closing brackets', filled(']', '\x01'), notJson],
  ['empty arrays', filled('[]'), values],
  ['commas', filled(','), values],
  ['empty objects', filled('{},', '['), values],
  ['colons', filled(':', '{"\x01"'), notJson],
  ['digits', filled('1', '[1.', ']'), '[1.1111111111111112]'],
  ['letters of four bytes', filled('😀', '["\x01', '"]'), '[" 😀😀'],
])('2 MB of %s', (_, text, reading) => {
  expect(readingOf(text).slice(0, reading.length)).toBe(reading);
});
