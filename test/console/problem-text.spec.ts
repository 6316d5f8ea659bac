import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, problemCodes } from '../../src/shared/problem';
import { listOf, type ParseResult } from '../../src/shared/rule';
import { hostname } from '../../src/links/custom-domains/hostname';
import { linkRules } from '../../src/link-paths/rules/link-rules';
import { customPath } from '../../src/link-paths/paths/custom-path';
import { referrerParams } from '../../src/shared/referrer-params';
import { text } from '../../src/shared/text';
import { root } from '../support/chart-tools';
import { load } from './load';

interface I18n {
  t: (key: string, parameters?: Record<string, string | number>) => string;
  counted: (key: string, count: number, parameters?: Record<string, string | number>) => string;
  number: (value: number) => string;
}

const { fill, rememberCatalogue } = load('i18n/text');
const { problemText } = load('i18n/problem-text');
const { textsOfField } = load('i18n/field-texts');
const { errorsAtFields } = load('api/errors-at-fields');
const { refusalText } = load('i18n/refusal-text');
const { ApiError } = load('api/api-error');

function i18nOf(language: string): I18n {
  const { messages } = load(`messages/${language}`);
  rememberCatalogue(messages);
  const numbers = new Intl.NumberFormat(language);
  const number = (value: number): string => numbers.format(value);
  // A key without a message throws, as a page would.
  const t: I18n['t'] = (key, parameters) => fill(messages[key], parameters);
  return {
    t,
    number,
    counted: (key, count, parameters) =>
      t(`${key}.${count === 1 ? 'one' : 'other'}`, { ...parameters, count: number(count) }),
  };
}

interface Schema {
  enum?: string[];
  type?: string | string[];
  format?: string;
  pattern?: string;
  items?: Schema;
}

const { components } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
  components: {
    schemas: Record<string, { properties?: Record<string, Schema>; enum?: string[] }>;
  };
};

const errorCodes = components.schemas['ErrorCode']!.enum!;

/** Reasons in the details of an error, with its code. */
const reasons = [
  ['DOMAIN_NOT_VERIFIED', 'VerificationDetails'],
  ['RATE_LIMITED', 'ReasonDetails'],
].flatMap(([code, details]) =>
  components.schemas[details!]!.properties!['reason']!.enum!.map((reason) => [code!, reason] as const),
);

/** Fields whose values the console composes. Nobody types them. */
const composed = ['operations', 'items', 'atomic', 'filter', 'ids', 'action', 'expected_count', 'after', 'into'];
const composedToo = ['dynamic_link_id', 'options', 'overlap_hours', 'resource_id'];
/** Fields of operations that the console lacks: of finders of keys, and of the replay of events. */
const absent = ['key', 'since'];

const fields = new Map(
  Object.entries(components.schemas)
    .filter(([name]) => name.endsWith('Body'))
    .flatMap(([, { properties = {} }]) => Object.entries(properties))
    .filter(([field]) => ![...composed, ...composedToo, ...absent].includes(field)),
);

/** The patterns of texts of which all can be stored. */
const anyText = new Set([text().schema.pattern, text({ notBlank: true }).schema.pattern]);

/** Returns whether a text of the field can have a wrong form. */
function hasForm({ items, format, pattern }: Schema): boolean {
  if (items) return hasForm(items);
  return format !== undefined || (pattern !== undefined && !anyText.has(pattern));
}

const languages = ['en', 'de'].map((language) => [language, i18nOf(language)] as const);
const serviceSays = 'WORDS OF THE SERVICE';

describe.each(languages)('in %s', (language, i18n) => {
  test.each([...fields])('the field %s has its label in each text', (field, schema) => {
    const texts = textsOfField(field);
    expect(texts).toBeDefined();
    const label = i18n.t(texts!.label);
    for (const code of problemCodes) {
      const shown = problemText({ code, path: [field], message: `${field} ${serviceSays}` }, i18n);
      expect(shown).toContain(label);
      expect(shown).toMatch(/[.]$/);
      expect(shown).not.toMatch(/WORDS|[{}]/);
    }
    // A field whose value has a pattern says how to write it.
    expect(texts!.form !== undefined).toBe(hasForm(schema));
  });

  test.each(errorCodes)('%s has own words', (code) => {
    const error = new ApiError(code, serviceSays, 400);
    const shown = refusalText(error, i18n);
    expect(shown).toMatch(/^\S/);
    expect(shown).not.toMatch(/WORDS/);
    for (const atField of Object.values(errorsAtFields(error, i18n))) expect(atField).toBe(shown);
  });

  test.each(reasons)('%s because of %s has own words', (code, reason) => {
    const shown = refusalText(new ApiError(code, serviceSays, 409, { reason }), i18n);
    expect(shown).toMatch(/^\S.*[.]$/);
    expect(shown).not.toBe(refusalText(new ApiError(code, serviceSays, 409), i18n));
    expect(shown).not.toMatch(/WORDS/);
  });

  test('a code that the console does not know has the words of the service', () => {
    const problem = { code: 'new_code', path: ['name'], message: serviceSays } as unknown as Problem;
    expect(problemText(problem, i18n)).toBe(serviceSays);
  });
});

const problemsOf = (read: ParseResult<unknown>, ...path: Problem['path']): Problem[] =>
  'problems' in read ? read.problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })) : [];
const tags = listOf(text({ min: 1, max: 50, notBlank: true }), { maxItems: 20 });
const app = { app: true };
const ofRules = (...whens: object[]) =>
  problemsOf(linkRules.safeParse(whens.map((when) => ({ when, then: app }))), 'rules');
const many = Array.from({ length: 51 }, (_, at) => `k${at}`);

// The rules of the service, because their messages name the limits.
test.each<[problems: Problem[], english: string]>([
  [problemsOf(text({ max: 2000 }).safeParse('x'.repeat(2001)), 'notes'), 'At most 2,000 characters'],
  [problemsOf(text({ min: 3 }).safeParse('x'), 'slug'), 'at least 3 characters'],
  [problemsOf(text({ min: 1 }).safeParse(''), 'name'), '“Name” is empty.'],
  [problemsOf(text({ min: 1, notBlank: true }).safeParse(' '), 'name'), '“Name” is empty.'],
  [problemsOf(tags.safeParse(many), 'tags'), 'At most 20 are possible'],
  [problemsOf(tags.safeParse(['fine', 'x'.repeat(51)]), 'tags'), '“Tags, entry 2” is too long. At most 50'],
  [problemsOf(listOf(text(), { minItems: 1, maxItems: 9 }).safeParse([]), 'tags'), '“Tags” is empty.'],
  [problemsOf(referrerParams.safeParse({ utm_1: 'x'.repeat(501) }), 'referrer_params'), '“Parameters, utm_1” is'],
  [
    problemsOf(referrerParams.safeParse(Object.fromEntries(many.map((key) => [key, '']))), 'referrer_params'),
    'At most 50 are possible',
  ],
  [problemsOf(hostname.safeParse('go.test'), 'hostname'), 'such as links.example.com'],
  [problemsOf(customPath.safeParse('robots.txt'), 'custom_path'), 'robots.txt are reserved'],
  [[{ code: 'invalid_json', path: [], message: '' }], 'The file is not valid JSON.'],
  [ofRules({ countries: ['Germany'] }), '“Countries” needs countries such as DE.'],
  [ofRules({ languages: ['?'] }), '“Languages” needs languages such as de'],
  [ofRules({ os_version: { min: 'x' } }), '“Version of the system” needs one to four numbers'],
  [ofRules({ browsers: ['Netscape'] }), '“Browsers and apps” has a value that is not offered.'],
  [ofRules({ networks: [] }), '“Networks” is empty.'],
  [problemsOf(linkRules.safeParse([{ when: {}, then: { url: 'x' } }]), 'rules'), '“Web page of the rule” is not'],
  [
    problemsOf(linkRules.safeParse([{ when: {}, then: { variants: [{ name: 'A', url: '/', weight: 1 }] } }]), 'rules'),
    '“Variants” ',
  ],
  [ofRules({ qr: true }, { qr: true, countries: ['DE'] }), 'because rule 1 matches all of its visitors before it'],
  [ofRules({ from: '2027-01-02T00:00:00Z', until: '2027-01-01T00:00:00Z' }), 'its end is not after its begin'],
  [ofRules({ os_version: { min: '17', max: '16' } }), 'the lowest version is above the highest one'],
  [ofRules({ query: { _via: 'qr' } }), 'the service removes this parameter'],
  [ofRules({ platforms: ['windows'], os_version: { min: '11' } }), 'knows versions of iOS, iPadOS and Android only'],
  [ofRules({ platforms: ['windows'], app_version: { min: '1' } }), 'only apps of iOS, iPadOS and Android'],
  [ofRules({ browsers: ['Safari'], app_version: { min: '1' } }), '“Browsers and apps” compares visits'],
])('the problems %j are explained by %s', (problems, english) => {
  expect(problems).toHaveLength(1);
  const [[, i18n]] = languages as [(typeof languages)[number]];
  expect(problemText(problems[0]!, i18n)).toContain(english);
});

const limits = { limit: 1000, used: 1000, current_plan: 'free' };
test.each<[code: string, details: unknown, english: string]>([
  ['ACCESS_DENIED', { ...limits, required_plan: null }, '1,000 of 1,000 are in use. Delete some first.'],
  ['ACCESS_DENIED', { ...limits, required_plan: 'pro' }, 'or change to the plan pro.'],
  ['ACCESS_DENIED', { ...limits, required_plan: null, release: {} }, 'Release one on the page “Domains” first.'],
  ['FORBIDDEN_PLAN', { feature: 'short_links', required_plan: 'pro' }, 'It needs the plan pro.'],
  ['LINKED_REFERENCES', { total: 2, dynamic_links: [{ name: 'A' }, { name: 'B' }] }, 'Links still use it: A, B.'],
  ['COUNT_MISMATCH', { expected_count: 2, actual_count: 3 }, '3 links match now, not 2.'],
  ['DATABASE_ERROR', { reason: 'too_expensive' }, 'This takes too long.'],
  ['INVALID_INPUT', [{ code: 'required', path: ['name'], message: 'name is required' }], '“Name” is empty.'],
])('%s with %j has its facts', (code, details, english) => {
  const [[, i18n]] = languages as [(typeof languages)[number]];
  expect(refusalText(new ApiError(code, serviceSays, 409, details), i18n)).toContain(english);
});
