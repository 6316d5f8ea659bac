import { describedPattern, refused, Rule, wrongType } from './rule';

export interface TextLimits {
  /** Unicode code points; 0 by default. */
  min?: number;
  max?: number;
  notBlank?: boolean;
  pattern?: RegExp;
  /** Matches the texts that are refused although they match `pattern`. */
  except?: RegExp;
  /** Completes "must …" in the error message. */
  patternSays?: string;
}

/** The patterns in the API description of texts without a pattern. */
const storable = /^[^\u0000]*$/;
const storableNotBlank = /^[^\u0000]*[^\s\u0000][^\u0000]*$/;

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Creates a rule for a string, kept as sent. NUL and lone surrogates are refused, because PostgreSQL cannot store them. */
export function text<T extends string = string>(limits: TextLimits = {}): Rule<T> {
  const { min = 0, max = Infinity, pattern, except } = limits;
  const described = pattern ?? (limits.notBlank ? storableNotBlank : storable);
  const schema = {
    type: 'string' as const,
    ...(min > 0 && { minLength: min }),
    ...(max < Infinity && { maxLength: max }),
    pattern: describedPattern(described),
    // A pattern without a type matches null, too.
    ...(except && { not: { type: 'string' as const, pattern: describedPattern(except) } }),
  };
  return new Rule<T>(schema, (value) => {
    if (typeof value !== 'string') return wrongType('string');
    if (!isStorable(value)) return refused('invalid_format', 'must be Unicode text without NUL and lone surrogates');
    const length = codePoints(value);
    if (length < min)
      return refused('too_small', min === 1 ? 'must not be empty' : `must have at least ${min} characters`);
    if (length > max) return refused('too_big', `must have at most ${max} characters`);
    if (limits.notBlank && value.trim() === '') return refused('too_small', 'must not be only white space');
    if ((pattern && !pattern.test(value)) || except?.test(value))
      return refused('invalid_format', `must ${limits.patternSays ?? 'match its pattern'}`);
    return { value: value as T };
  });
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

export const displayName = text({ min: 1, max: 100, notBlank: true });
