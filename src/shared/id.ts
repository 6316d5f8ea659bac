import { v7 } from 'uuid';
import { refused, Rule, wrongType } from './rule';

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns a UUID of version 7, because its order keeps new rows together in their index. */
export const newId = (): string => v7();

/**
 * Returns the canonical lower-case spelling, or null if the text is not a UUID. Braces and missing hyphens, which PostgreSQL
 * accepts, are refused (DECISIONS, "Identity of things").
 */
export const parseId = (value: string): string | null => (canonical.test(value) ? value.toLowerCase() : null);

export const uuid = new Rule<string>({ type: 'string', format: 'uuid' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  const id = parseId(value);
  return id === null ? refused('invalid_format', 'must be a UUID') : { value: id };
});
