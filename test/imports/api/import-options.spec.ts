import { importOptions } from '../../../src/imports/api/import-options';

test.each(['C:\\udata', 'a literal \\u0000', 'ünïcode 🎉'])('the column %j can be stored', (column) => {
  const columns = { [column]: 'name' };
  expect(importOptions.safeParse({ columns })).toEqual({ value: { columns } });
});

test.each(['\0', '\ud800', 'x\udc00'])('the column %j cannot be stored', (column) => {
  for (const options of [{ columns: { [column]: 'name' } }, { columns: { name: column } }])
    expect(importOptions.safeParse(options)).toEqual({
      problems: [{ path: [], code: 'invalid_format', message: 'must be text in Unicode' }],
    });
});
