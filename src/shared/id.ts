import { v7 } from 'uuid';
import { refused, Rule, wrongType } from './rule';

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new identifier: UUID version 7, so that rows made together stay together in their index. */
export const newId = (): string => v7();

/**
 * The canonical lower-case spelling, or null when the text names no UUID. Braces and missing hyphens, which PostgreSQL would
 * take, are no UUID here (docs/contract.md, “Identifiers”).
 */
export const parseId = (value: string): string | null => (canonical.test(value) ? value.toLowerCase() : null);

export const uuid = new Rule<string>({ type: 'string', format: 'uuid' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  const id = parseId(value);
  return id === null ? refused('invalid_format', 'must be a UUID') : { value: id };
});
