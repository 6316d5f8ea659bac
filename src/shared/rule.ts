import { InvalidInput, type Problem } from './problem';

/** The JSON Schema of the values that a rule accepts, as far as the API description shows it. */
export interface RuleSchema {
  type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  /** Name under which the API description shares the schema. */
  title?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  enum?: string[];
  default?: string | number | boolean;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: RuleSchema;
  properties?: Record<string, RuleSchema>;
  required?: string[];
  nullable?: true;
  additionalProperties?: RuleSchema | boolean;
  propertyNames?: Omit<RuleSchema, 'type'>;
  not?: Partial<RuleSchema>;
  anyOf?: Partial<RuleSchema>[];
}

export type ParseResult<T> = { value: T } | { problems: Problem[] };

/**
 * Checks, normalises and describes a value. Bodies, queries and stored values are read by the same rule. `safeParse` accepts
 * values of all types and never throws. It converts no types unless the rule says so.
 */
export class Rule<T> {
  constructor(
    readonly schema: RuleSchema,
    readonly safeParse: (value: unknown) => ParseResult<T>,
  ) {}

  /** @throws InvalidInput if the value breaks the rule */
  parse(value: unknown): T {
    const reading = this.safeParse(value);
    if ('problems' in reading) throw InvalidInput.because(reading.problems);
    return reading.value;
  }

  /** Returns null if the value breaks the rule. */
  tryParse(value: unknown): T | null {
    const reading = this.safeParse(value);
    return 'problems' in reading ? null : reading.value;
  }
}

/**
 * Returns a pattern for the API description, in the syntax that ECMA-262, RE2 (Go), Rust and Python share. A rule uses neither
 * look-around nor back-references, and describes exceptions by `not`.
 */
export const describedPattern = ({ source }: RegExp): string =>
  source.replaceAll('\\/', '/').replaceAll('\\u00', '\\x');

/** Returns the limits of a text, for the description of a stored value. */
export const limitsOf = ({ schema }: Rule<unknown>): Pick<RuleSchema, 'minLength' | 'maxLength' | 'pattern'> => ({
  ...(schema.minLength !== undefined && { minLength: schema.minLength }),
  ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
  ...(schema.pattern !== undefined && { pattern: schema.pattern }),
});

export const refused = (
  code: Problem['code'],
  message: string,
  path: Problem['path'] = [],
): { problems: Problem[] } => ({
  problems: [{ code, path, message }],
});

const articled = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

export const wrongType = (type: RuleSchema['type']): { problems: Problem[] } =>
  refused('invalid_type', `must be ${articled[type]}`);

/**
 * Reads further written forms of a value: `normalize` translates a text before the rule reads it.
 * @param schema describes the texts that are accepted
 */
export const alsoWritten = <T>(
  rule: Rule<T>,
  schema: Pick<RuleSchema, 'maxLength' | 'pattern'>,
  normalize: (sent: string) => string,
): Rule<T> =>
  new Rule({ ...rule.schema, ...schema }, (value) =>
    rule.safeParse(typeof value === 'string' ? normalize(value) : value),
  );

export const jsonBoolean = new Rule<boolean>({ type: 'boolean' }, (value) =>
  typeof value === 'boolean' ? { value } : wrongType('boolean'),
);

export const jsonInteger = (limits: { minimum: number; maximum: number }): Rule<number> =>
  new Rule({ type: 'integer', ...limits }, (value) => {
    if (!Number.isInteger(value)) return wrongType('integer');
    if ((value as number) < limits.minimum) return refused('too_small', `must be at least ${limits.minimum}`);
    if ((value as number) > limits.maximum) return refused('too_big', `must be at most ${limits.maximum}`);
    return { value: value as number };
  });

/** Reads a list whose items follow one rule. `normalize` changes the items that were read; without it, each one counts once. */
export const listOf = <T>(
  item: Rule<T>,
  { minItems = 0, maxItems }: { minItems?: number; maxItems: number },
  normalize = (items: T[]): T[] => [...new Set(items)],
): Rule<T[]> =>
  new Rule({ type: 'array', items: item.schema, ...(minItems > 0 && { minItems }), maxItems }, (value) => {
    if (!Array.isArray(value)) return wrongType('array');
    if (value.length < minItems)
      return refused('too_small', `must have at least ${minItems} item${minItems === 1 ? '' : 's'}`);
    if (value.length > maxItems) return refused('too_big', `must have at most ${maxItems} items`);
    const items: T[] = [];
    const problems: Problem[] = [];
    for (const [at, sent] of value.entries()) {
      const reading = item.safeParse(sent);
      if ('value' in reading) items.push(reading.value);
      else problems.push(...reading.problems.map((problem) => ({ ...problem, path: [at, ...problem.path] })));
    }
    return problems.length > 0 ? { problems } : { value: normalize(items) };
  });

/** Reads a parameter of a query string that may be repeated. */
export const queryList = <T>(item: Rule<T>, maxItems: number): Rule<T[]> => {
  const list = listOf(item, { minItems: 1, maxItems });
  return new Rule(list.schema, (value) => list.safeParse(Array.isArray(value) ? value : [value]));
};

/** Reads a boolean in a query string: `true` or `false`. */
export const queryBoolean = (fallback: boolean): Rule<boolean> =>
  new Rule({ type: 'boolean', default: fallback }, (value) =>
    value === 'true' || value === 'false' ? { value: value === 'true' } : wrongType('boolean'),
  );

export function oneOf<const T extends string>(values: readonly T[], fallback?: T): Rule<T> {
  return new Rule({ type: 'string', enum: [...values], default: fallback }, (value) => {
    if (typeof value !== 'string') return wrongType('string');
    return values.includes(value as T)
      ? { value: value as T }
      : refused('invalid_enum_value', `must be one of ${values.join(', ')}`);
  });
}

/** Reads an integer in a query string, of decimal digits only. A text of any length above `maximum` is too big. */
export function queryInteger(limits: { minimum: number; maximum?: number; default?: number }): Rule<number> {
  const maximum = limits.maximum ?? Number.MAX_SAFE_INTEGER;
  return new Rule({ type: 'integer', ...limits, maximum }, (value) => {
    if (typeof value !== 'string' || !/^-?[0-9]+$/.test(value)) return wrongType('integer');
    const number = Number(value);
    if (number < limits.minimum) return refused('too_small', `must be at least ${limits.minimum}`);
    if (number > maximum) return refused('too_big', `must be at most ${maximum}`);
    return { value: number };
  });
}
