import { load } from './load';

type Values = Record<string, unknown>;

const { lostInput } = load('pages/link/lost-input');
const { changesOf, copyOf, emptyLink, valuesOf } = load('pages/link/link-values');

const aLink = (values: Values = {}): Values => ({ ...emptyLink, name: 'Sale', custom_path: 'sale', ...values });
const withParameters = (...rows: [key: string, value: string][]): Values =>
  aLink({ referrer_params: rows.map(([key, value]) => ({ key, value })) });

const aVariant = (weight: number | string) => ({ name: 'A', url: 'https://a.example/', weight });

const leadingTo = (then: object) => ({ when: {}, then });
const withRules = (...rules: object[]): Values => aLink({ rules });
const aRule = (...rows: [key: string, value: string | null][]) => ({
  when: { query: rows.map(([key, value]) => ({ key, value })) },
  then: { app: true },
});

// Faults by field. Their texts begin with `link.fault.`.
test.each<[what: string, values: Values, lost: Record<string, string>]>([
  ['a link without changes', aLink(), {}],
  ['another path', aLink({ custom_path: 'summer' }), {}],
  ['no path', aLink({ custom_path: '' }), { custom_path: 'noPath' }],
  ['a path of spaces', aLink({ custom_path: '  ' }), { custom_path: 'noPath' }],
  ['parameters of other names', withParameters(['a', '1'], ['A', '1'], ['b', '']), {}],
  ['a row that is empty', withParameters(['', ''], ['a', '1']), {}],
  ['a value without a name', withParameters([' ', '1']), { 'referrer_params.0.key': 'noName' }],
  [
    'names that differ in spaces',
    withParameters(['a', '1'], ['b', '2'], [' a ', '3']),
    { 'referrer_params.2.key': 'repeatedName' },
  ],
  ['data for apps', aLink({ app_data: ' {"a": 1}\n' }), {}],
  ['data without an object', aLink({ app_data: '[1]' }), { app_data: 'noObject' }],
  ['data that is no JSON', aLink({ app_data: '{a: 1}' }), { app_data: 'noObject' }],
  ['rules with parameters of other names', withRules(aRule(['a', null], ['b', ''])), {}],
  [
    'a parameter of a rule twice',
    withRules(aRule(['b', '']), aRule(['a', null], ['a', '1'])),
    { 'rules.1.when.query.1.key': 'repeatedName' },
  ],
  [
    'parameters of a rule whose names are missing or differ in spaces',
    withRules(leadingTo({ params: [' ', 'a', 'a ', ''].map((key) => ({ key, value: '1' })) }), aRule(['', null])),
    {
      'rules.0.then.params.0.key': 'noName',
      'rules.0.then.params.2.key': 'repeatedName',
      'rules.0.then.params.3.key': 'noName',
    },
  ],
  ['a variant that ends', aLink({ variants: [aVariant(0), aVariant('7')] }), {}],
  ['a variant of no weight', aLink({ variants: [aVariant(50), aVariant('')] }), { 'variants.1.weight': 'noWeight' }],
  [
    'a variant of a rule without a weight',
    withRules(aRule(), leadingTo({ variants: [aVariant('-'), aVariant(1)] })),
    { 'rules.1.then.variants.0.weight': 'noWeight' },
  ],
])('%s', (_, values, lost) => {
  const texts = Object.entries(lost).map(([field, fault]) => [field, `link.fault.${fault}`]);
  expect(lostInput(values, aLink())).toEqual(Object.fromEntries(texts));
});

test('a new link needs no path', () => {
  const values = { ...emptyLink, name: 'Sale', custom_path: ' ' };
  expect(lostInput(values, emptyLink)).toEqual({});
  expect(changesOf(values)).not.toHaveProperty('custom_path');
});

test.each<[hasPassword: boolean, lost: Record<string, string>]>([
  [false, {}],
  [true, { password: 'link.fault.noPassword' }],
])('a copy of a link asks for its password if it has one: %j', (hasPassword, lost) => {
  const link = { ...aLink(), referrer_params: null, variants: null, rules: null, has_password: hasPassword };
  expect(lostInput(copyOf(link, 'Copy'), emptyLink)).toEqual(lost);
});

test('times keep their milliseconds from the service to the form and back', () => {
  for (const at of ['2026-03-29T01:00:00.000Z', '2028-02-29T23:59:59.123Z']) {
    const times = { active_from: at, active_until: null, rules: null };
    const link = { ...emptyLink, referrer_params: null, variants: null, ...times };
    expect(changesOf(valuesOf(link))).toMatchObject(times);
  }
});

const { draftsOf, rulesOf } = load('rules/rule-drafts');
test.each<[what: string, rule: object]>([
  ['parameters', { when: { query: { a: null, b: '' } }, then: { url: 'https://a.example/', params: { c: '1' } } }],
  ['a condition of a later version', { when: { weather: ['rain'], qr: true }, then: { store: true } }],
  ['variants', { when: {}, then: { variants: [aVariant(1), { ...aVariant(0), note: 'x' }], params: { c: '1' } } }],
  ['an answer of a later version', { when: {}, then: { page: [{ url: 'https://a.example/' }] } }],
  ['a field of a later version', { when: {}, then: { app: true }, note: 'x' }],
])('rules stay the same from the service to the form and back, with %s', (_, rule) => {
  expect(rulesOf(draftsOf([rule]))).toEqual([rule]);
});

test('names of parameters are sent without spaces around them', () => {
  const row = { key: ' a ', value: ' 1 ' };
  const rule = { when: { query: [row] }, then: { url: 'https://a.example/', params: [row, { key: ' ', value: '' }] } };
  expect(changesOf(aLink({ referrer_params: [row], rules: [rule] }))).toMatchObject({
    referrer_params: { a: ' 1 ' },
    rules: [{ when: { query: { a: ' 1 ' } }, then: { params: { a: ' 1 ' } } }],
  });
});

test.each([
  ['', 'A,B'],
  ['A', 'A,B'],
  ['A,C', 'A,C,B'],
  [' A ,Red,B', ' A ,Red,B,C'],
])('variants %s become %s with another one', (before, after) => {
  const { withVariant } = load('rules/variants');
  const url = 'https://a.example/';
  const variants = before
    .split(',')
    .filter(Boolean)
    .map((name) => ({ name, url, weight: 1 }));
  const rows: { name: string; url: string }[] = withVariant(variants, 'https://first.example/');
  expect(rows.map(({ name }) => name).join()).toBe(after);
  expect(rows[0]!.url).toBe(before === '' ? 'https://first.example/' : url);
});
