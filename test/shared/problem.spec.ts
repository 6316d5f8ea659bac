import { ForbiddenField, inField, InvalidInput, isRequired } from '../../src/shared/problem';

test('refused input names every problem in its message', () => {
  const problems = [
    { code: 'required' as const, path: ['name'], message: 'name is required' },
    { code: 'too_big' as const, path: ['slug'], message: 'slug is too long' },
  ];
  expect(InvalidInput.because(problems)).toMatchObject({
    code: 'INVALID_INPUT',
    message: 'name is required; slug is too long',
    details: problems,
  });
});

const named = (length: number) => Array.from({ length }, (_, at) => `f${at}`);

test.each<[string, string[], string]>([
  ['one field', ['id'], 'Fields that this operation does not accept: id'],
  ['two fields', ['id', 'x'], 'Fields that this operation does not accept: id, x'],
  ['100 fields', named(100), `Fields that this operation does not accept: ${named(100).join(', ')}`],
  ['101 fields', named(101), `Fields that this operation does not accept: ${named(100).join(', ')}, …`],
  ['a name of 100 characters', ['x'.repeat(100)], `Fields that this operation does not accept: ${'x'.repeat(100)}`],
  ['a name of 101 characters', ['x'.repeat(101)], `Fields that this operation does not accept: ${'x'.repeat(100)}…`],
  ['a lone surrogate', ['\ud800'], 'Fields that this operation does not accept: \ufffd'],
])('the message about forbidden fields has a bounded length: %s', (_, fields, message) => {
  const error = new ForbiddenField(fields);
  expect(error).toMatchObject({ code: 'FORBIDDEN_FIELD', message });
  expect(error.details).toHaveLength(Math.min(fields.length, 100));
});

test('the details of a forbidden field name it', () => {
  expect(new ForbiddenField(['id']).details).toEqual([
    { code: 'unrecognized_key', path: ['id'], message: 'id is not a field that this operation takes' },
  ]);
});

test('a fault of the whole input has an empty path, and one of a header names it', () => {
  const fault = { code: 'invalid_format', message: 'The body is no JSON' } as const;
  expect(InvalidInput.asAWhole(fault.code, fault.message).details).toEqual([{ ...fault, path: [] }]);
  expect(InvalidInput.asAWhole(fault.code, fault.message, ['If-Match']).details).toEqual([
    { ...fault, path: ['If-Match'] },
  ]);
});

test('a problem gets the name of its field, in its path and its message', () => {
  expect(inField('tags', [isRequired])).toEqual([{ code: 'required', path: ['tags'], message: 'tags is required' }]);
  const deep = { code: 'too_big' as const, path: [3, 'x'.repeat(101)], message: 'is too long' };
  expect(inField('params', [deep])).toEqual([
    { ...deep, path: ['params', ...deep.path], message: `params.3.${'x'.repeat(100)}… is too long` },
  ]);
});
