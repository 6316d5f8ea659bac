import { asObject, referrerParams } from '../../src/shared/referrer-params';
import type { Problem } from '../../src/shared/problem';

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '']));
const objectProperties: unknown = JSON.parse('{"__proto__":"1","constructor":"2"}');

test.each<[string, unknown, [string, string][]]>([
  ['no pairs', {}, []],
  [
    'pairs in their order',
    { b: '1', a: '' },
    [
      ['b', '1'],
      ['a', ''],
    ],
  ],
  [
    'names of object properties',
    objectProperties,
    [
      ['__proto__', '1'],
      ['constructor', '2'],
    ],
  ],
  ['the longest pair', { ['k'.repeat(100)]: 'v'.repeat(500) }, [['k'.repeat(100), 'v'.repeat(500)]]],
  ['50 pairs', pairs(50), Object.entries<string>(pairs(50))],
])('referrer_params keep %s', (_, given, kept) => {
  expect(referrerParams.safeParse(given)).toEqual({ value: kept });
  expect(JSON.stringify(asObject(kept))).toBe(JSON.stringify(given));
});

const wrongType: Problem = { code: 'invalid_type', path: [], message: 'must be an object' };

test.each<[string, unknown, Problem[]]>([
  ['a string', 'a=1', [wrongType]],
  ['null', null, [wrongType]],
  ['an array', [['a', '1']], [wrongType]],
  ['undefined', undefined, [wrongType]],
  ['51 pairs', { ...pairs(50), k50: 1 }, [{ code: 'too_big', path: [], message: 'must have at most 50 pairs' }]],
  ['an empty key', { '': 'x' }, [{ code: 'too_small', path: [''], message: 'key must not be empty' }]],
  [
    'a key of 101 characters',
    { ['k'.repeat(101)]: 'x' },
    [{ code: 'too_big', path: ['k'.repeat(101)], message: 'key must have at most 100 characters' }],
  ],
  [
    'a key with a lone surrogate',
    { 'a\ud800': 'x' },
    [
      {
        code: 'invalid_format',
        path: ['a\ud800'],
        message: 'key must be Unicode text without NUL and lone surrogates',
      },
    ],
  ],
  ['a value of another type', { a: 1 }, [{ code: 'invalid_type', path: ['a'], message: 'must be a string' }]],
  [
    'a value of 501 characters',
    { a: 'v'.repeat(501) },
    [{ code: 'too_big', path: ['a'], message: 'must have at most 500 characters' }],
  ],
  [
    'several invalid pairs',
    { a: 1, '': 2 },
    [
      { code: 'invalid_type', path: ['a'], message: 'must be a string' },
      { code: 'too_small', path: [''], message: 'key must not be empty' },
      { code: 'invalid_type', path: [''], message: 'must be a string' },
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
