import { createRequire } from 'node:module';

type Values = Record<string, unknown>;

/** The console has other TypeScript settings, which an import would not follow. */
const { comparedChanges, merged } = createRequire(__filename)('../../console/src/components/changed-fields') as {
  comparedChanges(base: Values, mine: Values, theirs: Values): object;
  merged(base: Values, mine: Values, theirs: Values): Values;
};

const base = { name: 'a', notes: '', tags: ['x'] };

test.each<[what: string, mine: Values, theirs: Values, inConflict: string[], others: string[], result: Values]>([
  ['other fields', { notes: 'm' }, { name: 't' }, [], ['name'], { name: 't', notes: 'm' }],
  ['the same field', { name: 'm' }, { name: 't', tags: [] }, ['name'], ['tags'], { name: 'm', tags: [] }],
  ['the same field alike', { tags: ['y'] }, { tags: ['y'] }, [], [], { tags: ['y'] }],
  ['one field of mine', { tags: [] }, {}, [], [], { tags: [] }],
])('changes of %s are compared and merged', (_, mine, theirs, inConflict, others, result) => {
  const versions = [base, { ...base, ...mine }, { ...base, ...theirs }] as const;
  expect(comparedChanges(...versions)).toEqual({ inConflict, others });
  expect(merged(...versions)).toEqual({ ...base, ...result });
});
