import { linkDestination } from '../../shared/destination-url';
import { objectRule } from './object-rule';
import { type ParseResult, listOf, refused, Rule } from '../../shared/rule';
import { asObject, referrerParams } from '../../shared/referrer-params';
import { impossibilityOf } from './impossible-rules';
import { type When, when } from './rule-values';
import { urlsOfVariants, type Variant, variantList } from './variants';

/** The answer to visitors for whom a rule matches. */
export type Then =
  | { url: string; params?: Record<string, string> }
  | { variants: Variant[]; params?: Record<string, string> }
  | { store: true }
  | { app: true };

export interface LinkRule {
  when: When;
  then: Then;
}

/** Rules as JSON text, in which equal rules are equal texts. */
export type LinkRules = string;

const limits = { rules: 20, bytes: 16_384 };

const isTrue = new Rule<true>({ type: 'boolean' }, (value) =>
  value === true ? { value } : refused('invalid_format', 'must be true'),
);

const params = new Rule<Record<string, string>>(referrerParams.schema, (value) => {
  const reading = referrerParams.safeParse(value);
  return 'value' in reading ? { value: asObject(reading.value) } : reading;
});

const answers = objectRule({ url: linkDestination, variants: variantList, params, store: isTrue, app: isTrue });

const then = new Rule<Then>(answers.schema, (value): ParseResult<Then> => {
  const reading = answers.safeParse(value);
  if ('problems' in reading) return reading;
  const { url, variants, params, store, app } = reading.value;
  if ([url, variants, store, app].filter((one) => one !== undefined).length !== 1)
    return refused('invalid_format', 'must have exactly one of url, variants, store and app');
  if (params !== undefined && url === undefined && variants === undefined)
    return refused('invalid_format', 'params requires url or variants');
  return { value: reading.value as Then };
});

const rule = objectRule({ when, then }, ['when', 'then'], 'LinkRule');
const list = listOf(rule, { minItems: 1, maxItems: limits.rules }, (rules) => rules);

/** Reads the rules of a link. Refuses a rule that can never match, because it has no effect that its author meant. */
export const linkRules = new Rule<LinkRules>(list.schema, (value): ParseResult<LinkRules> => {
  const reading = list.safeParse(value);
  if ('problems' in reading) return reading;
  const rules = reading.value as LinkRule[];
  const json = JSON.stringify(rules);
  if (Buffer.byteLength(json) > limits.bytes)
    return refused('too_big', `must have at most ${limits.bytes} bytes as JSON`);
  const problems = rules.flatMap(({ when }, at) => {
    const impossibility = impossibilityOf(
      when,
      rules.slice(0, at).map((earlier) => earlier.when),
    );
    return impossibility === null ? [] : refused('invalid_format', `can never match, ${impossibility}`, [at]).problems;
  });
  return problems.length > 0 ? { problems } : { value: json };
});

export const rulesOf = (json: LinkRules | null): LinkRule[] => (json === null ? [] : (JSON.parse(json) as LinkRule[]));

/** Returns the destinations of rules by the names of their fields. */
export const urlsOfRules = (json: LinkRules | null | undefined): Record<string, string> =>
  Object.fromEntries(
    rulesOf(json ?? null).flatMap(({ then }, at) => {
      if ('url' in then) return [[`rules.${at}.then.url`, then.url]];
      return 'variants' in then ? Object.entries(urlsOfVariants(then.variants, `rules.${at}.then.variants`)) : [];
    }),
  );
