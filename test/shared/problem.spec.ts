import { ForbiddenField, InvalidInput } from '../../src/shared/problem';

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
