import { refused, Rule, wrongType } from '../../shared/rule';
import type { ClickRow } from './recorded-click';

/** A place in a list of clicks, newest first: after so many of the clicks that equal this row. */
export interface ClickPosition extends ClickRow {
  /** Up to `maxRepeated`, which stands for all. */
  repeated: number;
  /** The start of the period, in milliseconds since 1970 (UTC). Without `from`, it would move from page to page. */
  from: number;
}

/** Equal clicks of one millisecond beyond this number are not listed, because each page reads them again. */
export const maxRepeated = 10_000;

export const writeCursor = ({ at, key, repeated, from }: ClickPosition): string =>
  Buffer.from(JSON.stringify([at, key, repeated, from])).toString('base64url');

/** A key has ASCII only, so that both stores sort it in the same way. */
const keyForm = /^[ -~]{1,600}$/;

const maxMoment = Date.UTC(2100);

const isMoment = (value: unknown): value is number => isIntegerUpTo(maxMoment, value);

const isIntegerUpTo = (maximum: number, value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maximum;

/** The longest key takes 800 characters. */
const maxLength = 1000;

export const clickCursor = new Rule<ClickPosition>({ type: 'string', maxLength }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  if (value.length > maxLength) return refused('too_big', `must have at most ${maxLength} characters`);
  const position = positionOf(value);
  return position ? { value: position } : refused('invalid_format', 'must be a nextCursor of this list');
});

function positionOf(cursor: string): ClickPosition | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 4) return null;
  const [at, key, repeated, from] = parts as unknown[];
  if (!isMoment(at) || !isMoment(from) || !isIntegerUpTo(maxRepeated, repeated)) return null;
  return typeof key === 'string' && keyForm.test(key) ? { at, key, repeated, from } : null;
}
