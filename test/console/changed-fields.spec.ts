import { load } from './load';

type Values = Record<string, unknown>;

const { comparedChanges, merged } = load('components/changed-fields');
const { rowText } = load('rules/row-texts');

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
