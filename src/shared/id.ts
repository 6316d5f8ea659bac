import { v7 } from 'uuid';
import { refused, Rule, wrongType } from './rule';

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Generates a UUID of version 7, because rows that are created together then stay together in their index. */
export const newId = (): string => v7();

/**
 * Returns the UUID in lower case, or null if the text is not the canonical form of one. PostgreSQL also accepts braces and
 * missing hyphens; this function does not (docs/contract.md, “Identifiers”).
 */
export const parseId = (value: string): string | null => (canonical.test(value) ? value.toLowerCase() : null);

export const uuid = new Rule<string>({ type: 'string', format: 'uuid' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  const id = parseId(value);
  return id === null ? refused('invalid_format', 'must be a UUID') : { value: id };
});
