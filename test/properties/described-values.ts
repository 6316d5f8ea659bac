import { isIP } from 'node:net';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parseId } from '../../src/shared/id';
import type { Problem } from '../../src/shared/problem';
import { parseUrl, toUri } from '../../src/shared/url';
import { apiDescription, type Schema } from '../support/api-description';
import { fc } from '../support/properties';

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
// The description says how it reads formats: URLs by the WHATWG standard, and UUIDs in their canonical form.
ajv.addFormat('uri', (text) => {
  const url = text.trim() === text ? parseUrl(text) : null;
  return url !== null && toUri(url).length <= 2048;
});
ajv.addFormat('uuid', (text) => parseId(text) !== null);

/** Returns whether a field of a request is a URL. Its schema has a pattern instead of `format: uri`, which refuses some URLs. */
export const isUrl = ({ pattern }: Schema): boolean => pattern?.startsWith('^[Hh][Tt][Tt][Pp]') ?? false;

/** Schemas that others refer to. */
const { components } = apiDescription;
ajv.addKeyword('components');

const validators = new Map<Schema, ValidateFunction>();

/** Returns the keywords of the description that the value breaks. None if the value is valid. */
export function brokenKeywords(schema: Schema, value: unknown): string[] {
  const validate =
    validators.get(schema) ?? ajv.compile({ ...schema, components, ...(isUrl(schema) && { format: 'uri' }) });
  validators.set(schema, validate);
  return validate(value) ? [] : validate.errors!.map(({ keyword }) => keyword);
}

const codesOf: Record<string, Problem['code'][]> = {
  type: ['invalid_type'],
  enum: ['invalid_enum_value'],
  not: ['invalid_format', 'too_small'],
  format: ['invalid_format', 'too_big'],
  // A name of white space alone is too short.
  pattern: ['invalid_format', 'too_small'],
  minLength: ['too_small'],
  maxLength: ['too_big'],
  minimum: ['too_small'],
  maximum: ['too_big'],
  minItems: ['too_small'],
  maxItems: ['too_big'],
  maxProperties: ['too_big'],
  additionalProperties: ['invalid_enum_value'],
  propertyNames: ['invalid_format', 'too_big', 'too_small'],
};

export const possibleCodes = (keywords: string[]): string[] => keywords.flatMap((keyword) => codesOf[keyword] ?? []);

/** Rules that no schema states, by field. They return whether the value keeps the rule. Descriptions say them in words. */
const rulesInWords: Record<string, (value: string) => boolean> = {
  address: (address) => isIP(address) !== 0,
  country: () => false,
  language: () => false,
  hostname: () => false,
  hosts: () => false,
  variants: () => false,
  rules: () => false,
  acknowledge: () => false,
  long_link_destinations: () => false,
  destination_hosts: () => false,
  allowed_networks: () => false,
  project_ids: () => false,
  project_roles: () => false,
  email: () => false,
  timezone: (zone) => Intl.supportedValuesOf('timeZone').includes(zone),
  expires_at: (time) => new Date(time) > new Date(),
  from: (time) => inYears(time),
  to: (time) => inYears(time),
};

const inYears = (time: string): boolean => {
  const year = new Date(time).getUTCFullYear();
  return year >= 2000 && year <= 2099;
};

const isWellFormed = (value: unknown): boolean =>
  JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value));

/** Returns whether the service may refuse a value that the description accepts. */
export const breaksRuleInWords = (field: string, value: unknown): boolean =>
  // Unicode has no lone surrogates, and a JSON Schema describes Unicode text.
  !isWellFormed(value) ||
  [value].flat().some((part) => typeof part === 'string' && rulesInWords[field]?.(part) === false);

/** Characters of one to four bytes, unless a text of them would be longer than a URL may be. */
const unitsFor = (length: number): string[] => ['a', '0', ...(length > 2000 ? [] : ['😀'])];

const text = (schema: Schema): fc.Arbitrary<string> => {
  const { minLength = 0, maxLength = 40, pattern } = schema;
  const plain = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
  const ofMaxLength = fc.constantFrom(...unitsFor(maxLength)).map((unit) => unit.repeat(maxLength));
  const matching = pattern === undefined ? plain : fc.stringMatching(new RegExp(pattern, 'u'));
  return fc.oneof(
    { weight: 6, arbitrary: matching },
    { weight: 2, arbitrary: plain },
    { weight: 1, arbitrary: ofMaxLength },
    { weight: 1, arbitrary: fc.constant(typeof schema.example === 'string' ? schema.example : '') },
  );
};

const url = fc
  .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.constantFrom('', 'ä', ' x', '?q=[1]', '%zz'))
  .map(([base, rest]) => base + rest);

const dateTime = fc
  .tuple(
    fc.date({ min: new Date('2050-01-01T00:00:00Z'), max: new Date('2098-12-31T00:00:00Z'), noInvalidDate: true }),
    fc.constantFrom('Z', '.5Z', '.123456789Z', '+05:30', '-11:00', '.25+00:00'),
  )
  .map(([date, end]) => date.toISOString().slice(0, 19) + end);

/**
 * Generates values that the description accepts.
 * @param given values of fields whose rules no schema states, or that refer to resources
 */
export function validValue(field: string, schema: Schema, given: Record<string, () => unknown>): fc.Arbitrary<unknown> {
  const types = [schema.type].flat();
  const nothing = types.includes('null') ? [fc.constant(null)] : [];
  const of = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(value, ...nothing);
  if (rulesInWords[field] && field !== 'expires_at' && given[field])
    return fc.constant(null).map(() => given[field]!());
  if (schema.enum) return of(fc.constantFrom(...schema.enum));
  if (types.includes('boolean')) return of(fc.boolean());
  if (types.includes('integer')) {
    const { minimum = 0, maximum = 1000 } = schema;
    return of(fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum)));
  }
  if (types.includes('array')) {
    const item = validValue(field, schema.items!, {});
    const { minItems = 0, maxItems = 5 } = schema;
    return of(
      fc.oneof(
        { weight: 5, arbitrary: fc.array(item, { minLength: minItems, maxLength: 4 }) },
        { weight: 1, arbitrary: fc.array(item, { minLength: maxItems, maxLength: maxItems }) },
      ),
    );
  }
  if (types.includes('object')) {
    const { properties } = schema;
    if (properties) {
      const values = Object.entries(properties).map(([name, value]) => [name, validValue('', value, {})]);
      return of(fc.record(Object.fromEntries(values) as object, { requiredKeys: [] }));
    }
    const key = validValue('', { type: 'string', ...schema.propertyNames }, {}) as fc.Arbitrary<string>;
    const value = validValue('', schema.additionalProperties as Schema, {});
    return of(fc.dictionary(key, value, { maxKeys: 5 }).filter((pairs) => brokenKeywords(schema, pairs).length === 0));
  }
  if (schema.format === 'uuid') return of(given[field] ? fc.constant(null).map(() => given[field]!()) : fc.uuid());
  const strings = isUrl(schema) ? url : schema.format === 'date-time' ? dateTime : text(schema);
  return of(strings.filter((value) => brokenKeywords(schema, value).length === 0 && isWellFormed(value)));
}

/** Texts that rules refuse by a `not`. */
const exceptions = [
  'xn--a',
  '.',
  '..',
  ' ',
  'a/.',
  'a/../b',
  'robots.txt',
  'favicon.ico',
  'apple-app-site-association',
];

/** Generates values that break one or more keywords of the description, most often at a limit. */
export function invalidValue(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength, minItems = 0, maxItems, minimum, maximum, example } = schema;
  const sample = typeof example === 'string' ? example : 'a';
  const item = Array.isArray(example) ? (example[0] as unknown) : 'x';
  const atLimits: unknown[] = [
    null,
    true,
    0,
    1.5,
    '',
    'x',
    [],
    {},
    ' ',
    `${sample}\u0000`,
    [sample],
    { a: 1 },
    'not-a-choice',
    sample.slice(0, Math.max(0, minLength - 1)),
    ...(maxLength === undefined
      ? []
      : [...unitsFor(maxLength).map((unit) => unit.repeat(maxLength + 1)), sample.padEnd(maxLength + 1, 'a')]),
    Array.from({ length: Math.max(0, minItems - 1) }, () => item),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => item)]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...exceptions.filter((text) => schema.not?.pattern !== undefined && new RegExp(schema.not.pattern, 'u').test(text)),
    ...(schema.maxProperties === undefined
      ? []
      : [Object.fromEntries(Array.from({ length: schema.maxProperties + 1 }, (_, at) => [`k${at}`, 'v']))]),
    ...(schema.propertyNames
      ? [{ '': 'v' }, { ['k'.repeat((schema.propertyNames.maxLength ?? 0) + 1)]: 'v' }, { k: 'v'.repeat(501) }]
      : []),
  ];
  const edited = fc
    .tuple(
      fc.nat(sample.length),
      fc.nat(2),
      fc.constantFrom('', ' ', '/', '.', '-', '_', 'A', 'é', '\u0000', '@', '\n'),
    )
    .map(([at, removed, added]) => sample.slice(0, at) + added + sample.slice(at + removed));
  return fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...atLimits) }, { weight: 1, arbitrary: edited })
    .filter((value) => brokenKeywords(schema, value).length > 0);
}
