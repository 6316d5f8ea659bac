import { asObject, referrerParams } from '../../src/shared/referrer-params';
import type { Problem } from '../../src/shared/problem';

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '']));
const objectProperties = JSON.parse('{"__proto__":"1","constructor":"2"}') as object;

test.each<[string, object]>([
  ['no pairs', {}],
  ['pairs in their order', { b: '1', a: '' }],
  ['names of object properties', objectProperties],
  ['the longest pair', { ['k'.repeat(100)]: 'v'.repeat(500) }],
  ['50 pairs', pairs(50)],
])('referrer_params keep %s', (_, given) => {
  const kept = Object.entries(given) as [string, string][];
  expect(referrerParams.safeParse(given)).toEqual({ value: kept });
  expect(JSON.stringify(asObject(kept))).toBe(JSON.stringify(given));
});

const wrongType: Problem = { code: 'invalid_type', path: [], message: 'must be an object' };
const ofKey = (code: Problem['code'], key: string, message: string): Problem => ({ code, path: [key], message });

test.each<[string, unknown, Problem[]]>([
  ['a string', 'a=1', [wrongType]],
  ['null', null, [wrongType]],
  ['an array', [['a', '1']], [wrongType]],
  ['undefined', undefined, [wrongType]],
  ['51 pairs', { ...pairs(50), k50: 1 }, [{ code: 'too_big', path: [], message: 'must have at most 50 pairs' }]],
  ['an empty key', { '': 'x' }, [ofKey('too_small', '', 'key must not be empty')]],
  [
    'a key of 101 characters',
    { ['k'.repeat(101)]: 'x' },
    [ofKey('too_big', 'k'.repeat(101), 'key must have at most 100 characters')],
  ],
  [
    'a key with a lone surrogate',
    { 'a\ud800': 'x' },
    [ofKey('invalid_format', 'a\ud800', 'key must be Unicode text without NUL and lone surrogates')],
  ],
  ['a value of 501 characters', { a: 'v'.repeat(501) }, [ofKey('too_big', 'a', 'must have at most 500 characters')]],
  [
    'several invalid pairs',
    { a: 1, '': 2 },
    [
      ofKey('invalid_type', 'a', 'must be a string'),
      ofKey('too_small', '', 'key must not be empty'),
      ofKey('invalid_type', '', 'must be a string'),
    ],
  ],
])('referrer_params refuse %s', (_, given, problems) => {
  expect(referrerParams.safeParse(given)).toEqual({ problems });
});

test('the rule has a JSON schema', () => {
  expect(referrerParams.schema).toEqual({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500, pattern: '^[^\\x00]*$' },
    propertyNames: { minLength: 1, maxLength: 100, pattern: '^[^\\x00]*$' },
    maxProperties: 50,
  });
});
