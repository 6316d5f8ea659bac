import type { FieldSchema } from '../support/described-operations';
import { fc } from '../support/properties';

/** Arbitrary UTF-16 code units, including lone surrogates, which JSON escapes. */
const anyUnits = fc.array(fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 12 });
const anyText = fc.oneof(
  anyUnits.map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'binary-ascii', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Strings known to break JavaScript engines, SQL, URLs, paths and file systems. */
export const knownBadStrings = [
  ...['', ' ', '\0', 'a\0b', '\ud800', 'a\udc00', '\ufeff', '\u2028', '\u202etxt', 'e\u0301', '1'.repeat(400)],
  ...'__proto__ constructor toString null undefined true 0 -1 1e3 0x10 9007199254740993 xn--80ak6aa92e'.split(' '),
  ...'$1 % _ \\ %s%n ../../etc/passwd .. / // {{7*7}}${7*7} <script>alert(1)</script> javascript:alert(1)'.split(' '),
  ...'data:text/html,x http:// https:/example.com https://user:secret@example.com https://[::1]/%zz?a=%'.split(' '),
  '[object Object]',
  "' OR 1=1 --",
  'https://example.com:99999',
  'HTTPS://EXÄMPLE.com/ä?ö#ü',
  'https://example.com/\r\nSet-Cookie: a=b',
];

const long = fc
  .tuple(fc.constantFrom('a', 'A', '0', '-', 'ä', '😀', '\ud800', ' '), fc.constantFrom(1e3, 1e4, 1.5e4))
  .map(([unit, length]) => unit.repeat(length));

/** Generates texts at the maximum length, and one character longer. */
const limits = ({ minLength = 0, maxLength = 0 }: FieldSchema): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('a', 'A', '0', '😀'), fc.constantFrom(minLength, minLength - 1, maxLength, maxLength + 1))
    .map(([unit, length]) => unit.repeat(Math.max(0, length)));

/** Generates the example with an insertion or a deletion. */
function mutated(example: string): fc.Arbitrary<string> {
  const edit = fc.record({ at: fc.nat(example.length), removed: fc.nat(2), added: fc.oneof(anyText, letters) });
  return edit.map(({ at, removed, added }) => example.slice(0, at) + added + example.slice(at + removed));
}
const letters = fc.string({ unit: fc.constantFrom(...'aZ09-_.~:/?#@%& ä😀'), maxLength: 4 });

export const hostileText = (schema: FieldSchema): fc.Arbitrary<string> =>
  fc.oneof(
    anyText,
    fc.constantFrom(...knownBadStrings),
    long,
    limits(schema),
    mutated(typeof schema.example === 'string' ? schema.example : ''),
  );

const hostileKey = fc.oneof(anyText, fc.constantFrom(...knownBadStrings));

/** Generates objects with own properties of any name, as JSON.parse creates them. */
const dictionary = (value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.array(fc.tuple(hostileKey, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries));

/** Generates JSON text that JSON.stringify never produces. */
const oddJson = fc.constantFrom(
  '1e999',
  '-0',
  '1.0',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '{"__proto__":{"polluted":true}}',
  '{"a":"1","a":"2"}',
  '"\\u0061\\/"',
  `[${'null,'.repeat(1000)}null]`,
);

/** Keeps the body below the limit of 100 kB. */
const maxValueBytes = 95_000;

/** Generates a value for the field as JSON text. */
export const hostileJson = (schema: FieldSchema): fc.Arbitrary<string> => {
  const { example } = schema;
  const text = hostileText(Array.isArray(example) ? { ...schema, example: String(example[0]) } : schema);
  const value: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 2, arbitrary: fc.array(text, { maxLength: 3 }) },
    { weight: 2, arbitrary: dictionary(text) },
    { weight: 1, arbitrary: dictionary(fc.jsonValue()) },
    { weight: 2, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant(example ?? null) },
    { weight: 1, arbitrary: fc.constantFrom(null, 0, 1, -1, 2 ** 53, [], {}, [[]], [example, example]) },
  );
  const json = value.map((given) => JSON.stringify(given));
  return fc
    .oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: oddJson })
    .filter((given) => Buffer.byteLength(given) < maxValueBytes);
};

/** JSON values that are tried on every field in addition to generated ones. */
export const fixedJsonValues = [
  '"a\\u0000"',
  '"a\\ud800"',
  '"😀"',
  'null',
  '1',
  '[]',
  '{}',
  '{"__proto__":"x"}',
  '""',
  '" "',
];

export const fixedParameterValues = ['', '%00', 'a%00', '%', '%ED%A0%80', '%25', '_', '%5C', '-1', '1e3'];

/** Generates a percent-encoded parameter value: text, invalid UTF-8, or invalid encoding. */
export const hostileParameter = (schema: FieldSchema): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: hostileText(schema).map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 6000)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 8 }).map(percentEncoded) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '%ED%A0%80', '%C0%80', '+', '%00') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...(schema.enum ?? []).map(String),
        ...[JSON.stringify(schema.example ?? 1), '1', '1e1', '1.0', '01'],
      ),
    },
  );

const percentEncoded = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
