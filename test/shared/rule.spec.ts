import { newId, nilId, parseId, uuid } from '../../src/shared/id';
import { offsetOf, pageLimit, pageNumber, sortOrder } from '../../src/shared/page';
import { InvalidInput } from '../../src/shared/problem';
import {
  jsonBoolean,
  jsonInteger,
  limitsOf,
  listOf,
  oneOf,
  queryBoolean,
  queryInteger,
  Rule,
  wrongType,
  queryList,
} from '../../src/shared/rule';
import { displayName, text } from '../../src/shared/text';
import { projectFields } from '../contracts/fields';

const reading = (rule: Rule<unknown>, value: unknown): unknown => {
  const read = rule.safeParse(value);
  return 'value' in read ? { value: read.value } : read.problems.map(({ code }) => code);
};

const wrongTypes = [null, undefined, true, 1, NaN, {}, [], [''], Symbol('x'), () => ''];
const ten = queryInteger({ minimum: 1, maximum: 10, default: 5 });
const letters = text({ pattern: /^[a-z]+$/, patternSays: 'be lowercase' });
const digit = jsonInteger({ minimum: 0, maximum: 9 });
const digits = listOf(digit, { minItems: 1, maxItems: 3 });
const sorted = listOf(digit, { maxItems: 3 }, (items) => items.sort());
const canonical = '0198c0de-7e57-7000-8000-00000000abcd';
const name = projectFields['name']!;

interface Described {
  is: string;
  rule: Rule<unknown>;
  /** Values that stay the same, and the values of texts. */
  keeps?: unknown[];
  reads?: Record<string, unknown>;
  refuses: Record<string, unknown[]>;
  schema: object;
}

const described: Described[] = [
  {
    is: 'a boolean',
    rule: jsonBoolean,
    keeps: [true, false],
    refuses: { invalid_type: [null, undefined, 0, 1, 'true', 'false', '', {}, []] },
    schema: { type: 'boolean' },
  },
  {
    is: 'a boolean in a query',
    rule: queryBoolean(true),
    reads: { true: true, false: false },
    refuses: { invalid_type: ['', 'TRUE', '1', 'yes', true, false, null, undefined, ['true']] },
    schema: { type: 'boolean', default: true },
  },
  {
    is: 'one of a list',
    rule: oneOf(['asc', 'desc'], 'desc'),
    keeps: ['asc', 'desc'],
    refuses: {
      invalid_enum_value: ['', 'ASC', ' asc', 'asc,desc', 'toString', '__proto__'],
      invalid_type: [null, undefined, 1, ['asc'], { asc: 1 }],
    },
    schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  },
  {
    is: 'a whole number in a query',
    rule: ten,
    reads: { 1: 1, 10: 10, '07': 7, '0000000000000000000000000000003': 3 },
    refuses: {
      too_small: ['0', '-1', '-0', `-${'9'.repeat(400)}`],
      too_big: ['11', '9007199254740993', '9'.repeat(400)],
      invalid_type: [
        ...['', ' ', '+1', '1.0', '1e1', '0x1', '1 ', ' 1', '1\n', '--1', '٣', '１', 'NaN', 'Infinity', '1,2'],
        ...[1, null, undefined, true, ['1'], {}],
      ],
    },
    schema: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
  },
  {
    is: 'a whole number in a query without a maximum',
    rule: queryInteger({ minimum: 1 }),
    reads: { '9007199254740991': Number.MAX_SAFE_INTEGER },
    refuses: { too_big: ['9007199254740992'] },
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  },
  {
    is: 'a whole number in a body',
    rule: jsonInteger({ minimum: 2, maximum: 4 }),
    keeps: [2, 3, 4],
    refuses: { too_small: [1], too_big: [5, 1e300], invalid_type: [2.5, '3', null] },
    schema: { type: 'integer', minimum: 2, maximum: 4 },
  },
  {
    is: 'text',
    rule: text(),
    keeps: ['', '  a\tb\n ', 'Ünïcode 名前 שלום 😀', 'e\u0301', '\u0001\u007f', '\ud83d\ude00'],
    refuses: {
      invalid_format: ['\0', 'a\0b', '\ud83d', '\ude00', '\ude00\ud83d', 'a\ud83db'],
      invalid_type: [...wrongTypes, new String('x')],
    },
    schema: { type: 'string', pattern: '^[^\\x00]*$' },
  },
  {
    is: 'a text with limits, which are measured in code points',
    rule: text({ min: 2, max: 3 }),
    keeps: ['😀😀😀', 'e\u0301e'],
    refuses: { too_big: ['😀😀😀😀', 'abcd'], too_small: ['😀', ''] },
    schema: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[^\\x00]*$' },
  },
  {
    is: 'a text with a pattern',
    rule: letters,
    keeps: ['a'],
    refuses: { invalid_format: ['A', 'a\n'] },
    schema: { type: 'string', pattern: '^[a-z]+$' },
  },
  {
    is: 'a UUID',
    rule: uuid,
    keeps: [canonical, nilId, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    reads: { [canonical.toUpperCase()]: canonical },
    refuses: {
      invalid_format: [
        ...['', 'x', canonical.replaceAll('-', ''), `{${canonical}}`, `urn:uuid:${canonical}`, ` ${canonical}`],
        ...[`${canonical}\n`, `${canonical}0`, canonical.slice(1), canonical.replace('c', 'g')],
        ...[canonical.replace('-', '_'), canonical.replace('0', '٠')],
      ],
      invalid_type: wrongTypes,
    },
    schema: { type: 'string', format: 'uuid' },
  },
  {
    is: 'a list',
    rule: digits,
    keeps: [[1, 2, 3]],
    refuses: { too_small: [[]], too_big: [[1, 2, 3, 4]], invalid_type: [{ 0: 1 }] },
    schema: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 }, minItems: 1, maxItems: 3 },
  },
  {
    is: 'a parameter that may be repeated',
    rule: queryList(letters, 2),
    keeps: [['a', 'b']],
    reads: { a: ['a'] },
    refuses: { too_small: [[]], too_big: [['a', 'b', 'c']] },
    schema: { type: 'array', items: letters.schema, minItems: 1, maxItems: 2 },
  },
  {
    is: 'a text that is not reserved',
    rule: text({ pattern: /^[a-z]+$/, except: /^(?:no|never)$/ }),
    keeps: ['yes', 'not'],
    refuses: { invalid_format: ['no', 'never', '1'] },
    schema: { type: 'string', pattern: '^[a-z]+$', not: { type: 'string', pattern: '^(?:no|never)$' } },
  },
  {
    is: 'a list that may be empty, of items that are changed together',
    rule: sorted,
    keeps: [[]],
    refuses: {},
    schema: { type: 'array', items: digit.schema, maxItems: 3 },
  },
];

test.each(described)('$is', ({ rule, keeps = [], reads = {}, refuses, schema }) => {
  for (const value of keeps) expect(reading(rule, value)).toEqual({ value });
  for (const [given, value] of Object.entries(reads)) expect([given, reading(rule, given)]).toEqual([given, { value }]);
  for (const [code, values] of Object.entries(refuses))
    for (const value of values) expect([value, reading(rule, value)]).toEqual([value, [code]]);
  expect(rule.schema).toEqual(schema);
});

test('lists leave out repetitions, or change their items together', () => {
  expect(reading(digits, [1, 1])).toEqual({ value: [1] });
  expect(reading(sorted, [3, 1, 3])).toEqual({ value: [1, 3, 3] });
});

test.each([...described.find(({ is }) => is === 'a UUID')!.refuses['invalid_format']!])('%j is no id', (given) => {
  expect(parseId(given as string)).toBeNull();
  expect(parseId(canonical.toUpperCase())).toBe(canonical);
});

test('a display name is neither blank nor too long, and its pattern says so', () => {
  for (const value of name.accepts) expect(reading(displayName, value)).toEqual({ value });
  for (const [value, code] of [...name.refuses, [' '.repeat(101), 'too_big'], ['\ufeff', 'too_small']])
    expect([value, reading(displayName, value)]).toEqual([value, [code]]);
  const pattern = new RegExp(displayName.schema.pattern!, 'u');
  expect(['a', ' a ', '\ufeffa', '', ' ', '\n\ufeff', 'a\0', '\0a'].map((value) => pattern.test(value))).toEqual([
    ...[true, true, true],
    ...[false, false, false, false, false],
  ]);
});

test('a rule parses a valid value, and throws or hides the problems of an invalid one', () => {
  expect([ten.parse('7'), ten.tryParse('7'), ten.tryParse('x')]).toEqual([7, 7, null]);
  expect(() => ten.parse('x')).toThrow(InvalidInput);
  expect(() => ten.parse('11')).toThrow('must be at most 10');
});

test.each([
  [1, 10, 0],
  [2, 10, 10],
  [3, 4, 8],
  [Number.MAX_SAFE_INTEGER, 100, (Number.MAX_SAFE_INTEGER - 1) * 100],
])('page %i of %i a page begins after %i rows', (page, limit, offset) => {
  expect(offsetOf({ page, limit })).toBe(offset);
});

test('pages have the defaults and bounds of the specification', () => {
  expect(pageNumber.schema).toEqual({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 });
  expect(pageLimit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
  expect(sortOrder.schema).toMatchObject({ enum: ['asc', 'desc'], default: 'desc' });
});

test.each<[Rule<unknown>, unknown, string]>([
  [jsonBoolean, 'true', 'must be a boolean'],
  [queryBoolean(true), true, 'must be a boolean'],
  [sortOrder, 1, 'must be a string'],
  [sortOrder, 'up', 'must be one of asc, desc'],
  [ten, 'x', 'must be an integer'],
  [ten, '0', 'must be at least 1'],
  [ten, '11', 'must be at most 10'],
  [digit, 10, 'must be at most 9'],
  [digit, -1, 'must be at least 0'],
  [digit, '3', 'must be an integer'],
  [text(), 1, 'must be a string'],
  [text(), '\0', 'must be Unicode text without NUL and lone surrogates'],
  [text({ min: 1 }), '', 'must not be empty'],
  [text({ min: 2 }), 'a', 'must have at least 2 characters'],
  [text({ max: 2 }), 'abc', 'must have at most 2 characters'],
  [text({ notBlank: true }), ' ', 'must not be only white space'],
  [text({ pattern: /a/ }), 'b', 'must match its pattern'],
  [letters, 'A', 'must be lowercase'],
  [uuid, 1, 'must be a string'],
  [uuid, 'x', 'must be a UUID'],
  [digits, [], 'must have at least 1 item'],
  [listOf(digit, { minItems: 2, maxItems: 3 }), [1], 'must have at least 2 items'],
  [digits, [1, 2, 3, 4], 'must have at most 3 items'],
  [digits, { 0: 1 }, 'must be an array'],
])('the problem of %# says what the value must be: %j', (rule, value, message) => {
  expect(rule.safeParse(value)).toMatchObject({ problems: [{ path: [], message }] });
});

test('the problems of items have their places', () => {
  expect(digits.safeParse([1, 'x', 10])).toEqual({
    problems: [
      { code: 'invalid_type', path: [1], message: 'must be an integer' },
      { code: 'too_big', path: [2], message: 'must be at most 9' },
    ],
  });
});

test.each([
  ['array', 'must be an array'],
  ['object', 'must be an object'],
] as const)('the wrong type for an %s is named', (type, message) => {
  expect(wrongType(type)).toEqual({ problems: [{ code: 'invalid_type', path: [], message }] });
});

test.each<[object, object]>([
  [
    { minLength: 0, maxLength: 5, pattern: 'x', format: 'uri' },
    { minLength: 0, maxLength: 5, pattern: 'x' },
  ],
  [{ maxLength: 5 }, { maxLength: 5 }],
  [{ format: 'uuid' }, {}],
])('the limits of %j are %j', (schema, limits) => {
  const rule = new Rule({ type: 'string', ...schema }, () => wrongType('string'));
  expect(limitsOf(rule)).toStrictEqual(limits);
});

describe('new ids', () => {
  const timeOf = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const isRising = (ids: string[]): boolean => ids.every((id, at) => at === 0 || ids[at - 1]! < id);
  afterEach(() => jest.restoreAllMocks());

  test('are UUIDs of version 7 (RFC 9562, section 5.7) that start with the time', () => {
    const before = Date.now();
    for (let times = 0; times < 100; times++) {
      const id = newId();
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOf(id)).toBeGreaterThanOrEqual(before);
      expect(timeOf(id)).toBeLessThanOrEqual(Math.max(Date.now(), before + 1));
    }
  });

  test('rise within a millisecond, and after the clock went back', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const ids = Array.from({ length: 10_000 }, newId);
    clock.mockReturnValue(Date.now() - 3_600_000);
    ids.push(...Array.from({ length: 100 }, newId));
    expect(isRising(ids)).toBe(true);
    // At most 4,096 ids share a millisecond, and at least 2,048 if the clock gave it.
    expect(timeOf(ids.at(-1)!) - timeOf(ids[0]!)).toBeLessThanOrEqual(3);
    expect(ids.filter((id) => timeOf(id) === timeOf(ids[0]!) + 1)).toHaveLength(4096);
  });

  test('differ in 62 random bits', () => {
    const random = Array.from({ length: 1000 }, () => newId().slice(19));
    expect(new Set(random).size).toBe(1000);
  });
});
