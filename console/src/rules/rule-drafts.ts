import type { components, operations } from 'signpost-client';
import { variantsOf } from './variants';

type NewLinkBody = operations['createDynamicLink']['requestBody']['content']['application/json'];

export type LinkRule = NonNullable<NewLinkBody['rules']>[number];
export type When = components['schemas']['LinkRule']['when'];
export type ConditionName = keyof When;

/** A parameter in a row of the form. A null value of a condition: any value. */
export interface Pair {
  key: string;
  value: string | null;
}

/**
 * A rule as the form edits it: like the API's, but with rows in place of objects of parameters. Conditions and answers that this
 * console does not know stay as they are.
 */
export interface RuleDraft {
  when: Record<string, unknown>;
  then: Record<string, unknown>;
}

export const maxRules = 20;

export const newRule: RuleDraft = { when: {}, then: { url: '' } };

/** The value that a condition has before somebody fills it. */
export const emptyConditions: Record<ConditionName, unknown> = {
  platforms: [],
  countries: [],
  languages: [],
  from: '',
  until: '',
  query: [{ key: '', value: null }] satisfies Pair[],
  browsers: [],
  os_version: {},
  referring_hosts: [],
  networks: [],
  qr: true,
  app_version: {},
};

export const conditionNames = Object.keys(emptyConditions) as ConditionName[];

export const pairsOf = (value: unknown): Pair[] =>
  Object.entries(value as Record<string, string | null>).map(([key, one]) => ({ key, value: one }));

/** Returns the object of rows that have a name. `lostNames` reports what it leaves out. */
export const objectOf = (rows: unknown): Record<string, string | null> =>
  Object.fromEntries(
    (rows as Pair[]).map(({ key, value }) => [key.trim(), value] as const).filter(([name]) => name !== ''),
  );

/** Returns the parameters that a link adds to its destination; null without any. */
export function parametersOf(rows: readonly Pair[]): Record<string, string> | null {
  const parameters = objectOf(rows) as Record<string, string>;
  return Object.keys(parameters).length === 0 ? null : parameters;
}

/** Returns the object with one field converted, if it has that field. */
const converted = (fields: object, name: string, convert: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, key === name ? convert(value) : value]));

export const draftsOf = (rules: readonly object[]): RuleDraft[] =>
  (rules as RuleDraft[]).map((rule) => ({
    ...rule,
    when: converted(rule.when, 'query', pairsOf),
    then: converted(rule.then, 'params', pairsOf),
  }));

export const rulesOf = (drafts: readonly RuleDraft[]): LinkRule[] =>
  drafts.map((draft) => ({
    ...draft,
    when: converted(draft.when, 'query', objectOf),
    then: converted(converted(draft.then, 'params', objectOf), 'variants', variantsOf),
  }));

/** Returns the object without a field. */
export const without = (fields: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
