import type { Problem } from './problem';
import { type ParseResult, refused, Rule, wrongType } from './rule';
import { text } from './text';

/** Query parameters for attribution, in the order sent. Pairs, because `__proto__` is an ordinary key here. */
export type ReferrerParams = readonly (readonly [key: string, value: string])[];

const key = text({ min: 1, max: 100 });
const paramValue = text({ max: 500 });
const { type: _, ...propertyNames } = key.schema;
const maxPairs = 50;

export const referrerParams = new Rule<ReferrerParams>(
  { type: 'object', additionalProperties: paramValue.schema, maxProperties: maxPairs, propertyNames },
  (input): ParseResult<ReferrerParams> => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return wrongType('object');
    const pairs = Object.entries(input);
    if (pairs.length > maxPairs) return refused('too_big', `must have at most ${maxPairs} pairs`);
    const problems: Problem[] = [];
    for (const [name, value] of pairs) {
      for (const [what, reading] of [
        ['key ', key.safeParse(name)] as const,
        ['', paramValue.safeParse(value)] as const,
      ])
        if ('problems' in reading)
          problems.push(
            ...reading.problems.map(({ code, message }) => ({ code, path: [name], message: what + message })),
          );
    }
    return problems.length > 0 ? { problems } : { value: pairs as [string, string][] };
  },
);

/** Converts the pairs to the object that the API returns. `Object.fromEntries` defines `__proto__` as an own property. */
export const asObject = (params: ReferrerParams): Record<string, string> => Object.fromEntries(params);
