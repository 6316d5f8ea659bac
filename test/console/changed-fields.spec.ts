import { createRequire } from 'node:module';

type Values = Record<string, unknown>;

/** The console has other TypeScript settings, which an import would not follow. */
const load = createRequire(__filename);
const { comparedChanges, merged } = load('../../console/src/components/changed-fields') as {
  comparedChanges(base: Values, mine: Values, theirs: Values): object;
  merged(base: Values, mine: Values, theirs: Values): Values;
};
const { rowText } = load('../../console/src/rules/row-texts') as {
  rowText: (field: string, value: unknown) => string | undefined;
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

test.each<[field: string, value: unknown, text: string | undefined]>([
  ['referrer_params', [{ key: 'a', value: '1' }], 'a=1'],
  ['variants', [{ name: 'A', url: 'https://a.example/', weight: 50 }], 'A: https://a.example/ (50)'],
  ['rules', [{ when: { query: [{ key: 'a', value: null }] }, then: {} }], '[{"when":{"query":{"a":null}},"then":{}}]'],
  ['tags', ['a'], undefined],
])('a newer version shows %s as a text', (field, value, text) => {
  expect(rowText(field, value)).toBe(text);
});
