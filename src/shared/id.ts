import { randomUUID } from 'node:crypto';
import { refused, Rule, wrongType } from './rule';

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const nilId = '00000000-0000-0000-0000-000000000000';

let lastMs = 0;
let counter = 0;

/**
 * Generates a UUID of version 7, because rows that are created together then stay together in their index. Each id of a process
 * is greater than the one before, also if the clock goes back. The counter has 12 bits (RFC 9562, section 6.2, method 1).
 */
export function newId(): string {
  const random = randomUUID();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // The first bit is zero, so that at least 2,048 ids of a millisecond share its time.
    counter = parseInt(random.slice(0, 3), 16) >> 1;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}${random.slice(18)}`;
}

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
