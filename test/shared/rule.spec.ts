import { newId, parseId, uuid } from '../../src/shared/id';
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
} from '../../src/shared/rule';
import { displayName, text } from '../../src/shared/text';

/** Returns the value, or the codes of the problems. */
const reading = (rule: Rule<unknown>, value: unknown): unknown => {
  const read = rule.safeParse(value);
  return 'value' in read ? { value: read.value } : read.problems.map(({ code }) => code);
};

const wrongTypes = [null, undefined, true, 1, NaN, {}, [], [''], Symbol('x'), () => ''];
const ten = queryInteger({ minimum: 1, maximum: 10, default: 5 });

describe('a boolean', () => {
  test.each([true, false])('%p', (value) => expect(reading(jsonBoolean, value)).toEqual({ value }));

  test.each([null, undefined, 0, 1, 'true', 'false', '', {}, []])('refuses %p', (value) => {
    expect(reading(jsonBoolean, value)).toEqual(['invalid_type']);
  });
});

describe('a boolean in a query', () => {
  test.each([
    ['true', true],
    ['false', false],
  ])('%p is %p', (given, value) => expect(reading(queryBoolean(false), given)).toEqual({ value }));

  test.each(['', 'TRUE', '1', 'yes', true, false, null, undefined, ['true']])('%p is of the wrong type', (given) => {
    expect(reading(queryBoolean(false), given)).toEqual(['invalid_type']);
  });
});

describe('one of a list', () => {
  const rule = oneOf(['asc', 'desc'], 'desc');

  test.each(['asc', 'desc'])('%s', (value) => expect(reading(rule, value)).toEqual({ value }));

  test.each(['', 'ASC', ' asc', 'asc,desc', 'toString', '__proto__'])('%p is not in it', (value) => {
    expect(reading(rule, value)).toEqual(['invalid_enum_value']);
  });

  test.each([null, undefined, 1, ['asc'], { asc: 1 }])('%p is of the wrong type', (value) => {
    expect(reading(rule, value)).toEqual(['invalid_type']);
  });

  test('describes itself', () => {
    expect(rule.schema).toEqual({ type: 'string', enum: ['asc', 'desc'], default: 'desc' });
  });
});

describe('a whole number in a query', () => {
  test.each([
    ['1', 1],
    ['10', 10],
    ['07', 7],
    ['0000000000000000000000000000003', 3],
  ])('%p is %i', (given, value) => expect(reading(ten, given)).toEqual({ value }));

  test.each([
    ['0', 'too_small'],
    ['-1', 'too_small'],
    ['-0', 'too_small'],
    ['11', 'too_big'],
    ['9007199254740993', 'too_big'],
    ['9'.repeat(400), 'too_big'],
    [`-${'9'.repeat(400)}`, 'too_small'],
    ...['', ' ', '+1', '1.0', '1e1', '0x1', '1 ', ' 1', '1\n', '--1', '٣', '１', 'NaN', 'Infinity', '1,2'].map(
      (given) => [given, 'invalid_type'],
    ),
  ])('%p: %s', (given, code) => expect(reading(ten, given)).toEqual([code]));

  test.each([1, null, undefined, true, ['1'], {}])('%p is of the wrong type', (given) => {
    expect(reading(ten, given)).toEqual(['invalid_type']);
  });

  test('is limited to exact integers without a maximum', () => {
    const rule = queryInteger({ minimum: 1 });
    expect(reading(rule, '9007199254740991')).toEqual({ value: Number.MAX_SAFE_INTEGER });
    expect(reading(rule, '9007199254740992')).toEqual(['too_big']);
  });
});

describe('text', () => {
  test.each<[string, string]>([
    ['', ''],
    ['kept as sent', '  a\tb\n '],
    ['of many scripts', 'Ünïcode 名前 שלום 😀'],
    ['with combining marks', 'e\u0301'],
    ['with control characters', '\u0001\u007f'],
    ['of a pair of surrogates', '\ud83d\ude00'],
  ])('%s', (_, value) => expect(reading(text(), value)).toEqual({ value }));

  test.each(['\0', 'a\0b', '\ud83d', '\ude00', '\ude00\ud83d', 'a\ud83db'])('%j is refused', (value) => {
    expect(reading(text(), value)).toEqual(['invalid_format']);
  });

  test('of another type is refused', () => {
    for (const value of wrongTypes) expect(reading(text(), value)).toEqual(['invalid_type']);
    expect(reading(text(), new String('x'))).toEqual(['invalid_type']);
  });

  test.each([
    ['😀😀😀', { value: '😀😀😀' }],
    ['😀😀😀😀', ['too_big']],
    ['abcd', ['too_big']],
    ['e\u0301e', { value: 'e\u0301e' }],
    ['😀', ['too_small']],
    ['', ['too_small']],
  ])('%p is measured in code points', (value, expected) => {
    expect(reading(text({ min: 2, max: 3 }), value)).toEqual(expected);
  });

  test('with a pattern says what it must be', () => {
    const rule = text({ pattern: /^[a-z]+$/, patternSays: 'be lowercase' });
    expect(rule.safeParse('A')).toEqual({
      problems: [{ code: 'invalid_format', path: [], message: 'must be lowercase' }],
    });
    expect(reading(rule, 'a\n')).toEqual(['invalid_format']);
    expect(rule.schema).toEqual({ type: 'string', pattern: '^[a-z]+$' });
  });

  test('describes its limits', () => {
    expect(text({ min: 1, max: 9 }).schema).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 9,
      pattern: '^[^\\x00]*$',
    });
    expect(text().schema).toEqual({ type: 'string', pattern: '^[^\\x00]*$' });
    const name = new RegExp(displayName.schema.pattern!, 'u');
    expect(['a', ' a ', '\ufeffa', '', ' ', '\n\ufeff', 'a\0'].map((text) => name.test(text))).toEqual([
      ...[true, true, true],
      ...[false, false, false, false],
    ]);
  });
});

describe('a display name', () => {
  test.each(['a', ' a ', 'x'.repeat(100), '😀'.repeat(100)])('%j', (value) => {
    expect(reading(displayName, value)).toEqual({ value });
  });

  test.each([
    ['', 'too_small'],
    [' ', 'too_small'],
    ['\t\n\u00a0\u2003\u3000\ufeff', 'too_small'],
    ['x'.repeat(101), 'too_big'],
    ['😀'.repeat(101), 'too_big'],
    [' '.repeat(101), 'too_big'],
    ['a\0', 'invalid_format'],
  ])('%j: %s', (value, code) => expect(reading(displayName, value)).toEqual([code]));
});

describe('a UUID', () => {
  const canonical = '0198c0de-7e57-7000-8000-00000000abcd';

  test.each([
    canonical,
    canonical.toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('%s is one, written in lower case', (given) => {
    expect(parseId(given)).toBe(given.toLowerCase());
    expect(reading(uuid, given)).toEqual({ value: given.toLowerCase() });
  });

  test.each([
    '',
    'x',
    canonical.replaceAll('-', ''),
    `{${canonical}}`,
    `urn:uuid:${canonical}`,
    ` ${canonical}`,
    `${canonical}\n`,
    `${canonical}0`,
    canonical.slice(1),
    canonical.replace('c', 'g'),
    canonical.replace('-', '_'),
    canonical.replace('0', '٠'),
  ])('%j is refused', (given) => {
    expect(parseId(given)).toBeNull();
    expect(reading(uuid, given)).toEqual(['invalid_format']);
  });

  test('of another type is refused', () => {
    for (const value of wrongTypes) expect(reading(uuid, value)).toEqual(['invalid_type']);
  });
});

describe('a rule', () => {
  test('parses a valid value, and throws the problems of an invalid one', () => {
    expect(ten.parse('7')).toBe(7);
    expect(() => ten.parse('x')).toThrow(InvalidInput);
    expect(() => ten.parse('11')).toThrow('must be at most 10');
  });

  test('returns null for an invalid value in tryParse', () => {
    expect(ten.tryParse('7')).toBe(7);
    expect(ten.tryParse('x')).toBeNull();
  });
});

describe('pages', () => {
  test.each([
    [1, 10, 0],
    [2, 10, 10],
    [3, 4, 8],
    [Number.MAX_SAFE_INTEGER, 100, (Number.MAX_SAFE_INTEGER - 1) * 100],
  ])('page %i of %i a page begins after %i rows', (page, limit, offset) => {
    expect(offsetOf({ page, limit })).toBe(offset);
  });

  test('have the defaults and bounds of the specification', () => {
    expect(pageNumber.schema).toEqual({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 });
    expect(pageLimit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
    expect(sortOrder.schema).toMatchObject({ enum: ['asc', 'desc'], default: 'desc' });
  });
});

test.each<[string, Rule<unknown>, object]>([
  ['a boolean', jsonBoolean, { type: 'boolean' }],
  ['a boolean in a query', queryBoolean(true), { type: 'boolean', default: true }],
  ['a UUID', uuid, { type: 'string', format: 'uuid' }],
])('%s describes itself', (_, rule, schema) => expect(rule.schema).toEqual(schema));

test.each<[string, Rule<unknown>, unknown, string]>([
  ['a boolean', jsonBoolean, 'true', 'must be a boolean'],
  ['a boolean in a query', queryBoolean(true), true, 'must be a boolean'],
  ['one of a list, of the wrong type', sortOrder, 1, 'must be a string'],
  ['one of a list', sortOrder, 'up', 'must be one of asc, desc'],
  ['a whole number, of the wrong type', ten, 'x', 'must be an integer'],
  ['a whole number', ten, '0', 'must be at least 1'],
  ['a whole number', ten, '11', 'must be at most 10'],
  ['a text, of the wrong type', text(), 1, 'must be a string'],
  ['a text', text(), '\0', 'must be Unicode text without NUL and lone surrogates'],
  ['a text', text({ min: 1 }), '', 'must not be empty'],
  ['a text', text({ min: 2 }), 'a', 'must have at least 2 characters'],
  ['a text', text({ max: 2 }), 'abc', 'must have at most 2 characters'],
  ['a text', text({ notBlank: true }), ' ', 'must not be only white space'],
  ['a text', text({ pattern: /a/ }), 'b', 'must match its pattern'],
  ['a UUID, of the wrong type', uuid, 1, 'must be a string'],
  ['a UUID', uuid, 'x', 'must be a UUID'],
])('%s says what it must be: %#', (_, rule, value, message) => {
  expect(rule.safeParse(value)).toMatchObject({ problems: [{ path: [], message }] });
});

test.each([
  ['array', 'must be an array'],
  ['object', 'must be an object'],
] as const)('the wrong type for an %s is named', (type, message) => {
  expect(wrongType(type)).toEqual({ problems: [{ code: 'invalid_type', path: [], message }] });
});

describe('new ids', () => {
  const timeOf = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const isRising = (ids: string[]): boolean => ids.every((id, at) => at === 0 || ids[at - 1]! < id);
  afterEach(() => jest.restoreAllMocks());

  test('are UUIDs of version 7 (RFC 9562, section 5.7) that start with the time', () => {
    const before = timeOf(newId());
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
    // 4,096 ids share a millisecond at most, and 2,048 at least if the clock gave it.
    expect(timeOf(ids.at(-1)!) - timeOf(ids[0]!)).toBeLessThanOrEqual(3);
  });

  test('differ in 62 random bits', () => {
    const random = Array.from({ length: 1000 }, () => newId().slice(19));
    expect(new Set(random).size).toBe(1000);
  });
});

describe('a whole number in a body', () => {
  const rule = jsonInteger({ minimum: 2, maximum: 4 });

  test.each([2, 3, 4])('%i', (value) => expect(reading(rule, value)).toEqual({ value }));

  test.each<[unknown, string, string]>([
    [1, 'too_small', 'must be at least 2'],
    [5, 'too_big', 'must be at most 4'],
    [1e300, 'too_big', 'must be at most 4'],
    [2.5, 'invalid_type', 'must be an integer'],
    ['3', 'invalid_type', 'must be an integer'],
    [null, 'invalid_type', 'must be an integer'],
  ])('%p is %s', (value, code, message) => {
    expect(rule.safeParse(value)).toEqual({ problems: [{ code, path: [], message }] });
  });

  test('describes itself', () => expect(rule.schema).toEqual({ type: 'integer', minimum: 2, maximum: 4 }));
});

describe('a list', () => {
  const rule = listOf(jsonInteger({ minimum: 0, maximum: 9 }), { minItems: 1, maxItems: 3 });

  test('of up to the most items; one that repeats counts once', () => {
    expect(reading(rule, [1, 2, 3])).toEqual({ value: [1, 2, 3] });
    expect(reading(rule, [1, 1])).toEqual({ value: [1] });
    expect(reading(listOf(uuid, { maxItems: 1 }), [])).toEqual({ value: [] });
  });

  test('its items can be changed together', () => {
    const sorted = listOf(jsonInteger({ minimum: 0, maximum: 9 }), { maxItems: 3 }, (items) => items.sort());
    expect(reading(sorted, [3, 1, 3])).toEqual({ value: [1, 3, 3] });
  });

  test.each<[unknown, string, string]>([
    [[], 'too_small', 'must have at least 1 item'],
    [[1, 2, 3, 4], 'too_big', 'must have at most 3 items'],
    [{ 0: 1 }, 'invalid_type', 'must be an array'],
  ])('%j is %s', (value, code, message) => {
    expect(rule.safeParse(value)).toEqual({ problems: [{ code, path: [], message }] });
  });

  test('the problems of its items have their places', () => {
    expect(rule.safeParse([1, 'x', 10])).toEqual({
      problems: [
        { code: 'invalid_type', path: [1], message: 'must be an integer' },
        { code: 'too_big', path: [2], message: 'must be at most 9' },
      ],
    });
  });

  test('describes itself', () => {
    const items = { type: 'integer', minimum: 0, maximum: 9 };
    expect(rule.schema).toEqual({ type: 'array', items, minItems: 1, maxItems: 3 });
    expect(listOf(uuid, { maxItems: 3 }).schema).toEqual({ type: 'array', items: uuid.schema, maxItems: 3 });
  });
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
