import { objectRule } from './object-rule';
import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';

/** A range of versions with both ends in it. `max` names a prefix: `16` includes 16.7.1. */
export interface VersionRange {
  min?: string;
  max?: string;
}

const version = text({
  min: 1,
  max: 23,
  pattern: /^[0-9]{1,5}(?:\.[0-9]{1,5}){0,3}$/,
  patternSays: 'be a version of one to four numbers, such as 16.4',
});

const ends = objectRule({ min: version, max: version });

export const versionRange = new Rule<VersionRange>(ends.schema, (value) => {
  const reading = ends.safeParse(value);
  if ('problems' in reading) return reading;
  const { min, max } = reading.value;
  if (min === undefined && max === undefined) return refused('required', 'must have min, max or both');
  if (min !== undefined && max !== undefined && compareVersions(numbersOf(min), numbersOf(max), Infinity) > 0)
    return refused('invalid_format', `can never match, because min ${min} is above max ${max}`);
  return { value: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } };
});

/** Returns the numbers at the start of a version such as `2.4.1-beta`; null without any. */
export function readVersion(sent: string | null): readonly number[] | null {
  const numbers = sent === null ? null : /^[0-9]{1,5}(?:\.[0-9]{1,5}){0,3}/.exec(sent);
  return numbers && numbersOf(numbers[0]);
}

export const numbersOf = (valid: string): readonly number[] => valid.split('.').map(Number);

/**
 * Compares versions number by number.
 * @param absent the value of the numbers that `b` does not name: 0, or Infinity if `b` names a prefix
 */
export function compareVersions(a: readonly number[], b: readonly number[], absent: number): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? absent);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns whether each version of `inner` is in `outer`. */
export const isRangeWithin = (inner: VersionRange, outer: VersionRange): boolean =>
  (outer.min === undefined ||
    (inner.min !== undefined && compareVersions(numbersOf(inner.min), numbersOf(outer.min), 0) >= 0)) &&
  (outer.max === undefined || (inner.max !== undefined && isPrefixWithin(numbersOf(inner.max), numbersOf(outer.max))));

/** Returns whether all versions up to the prefix `inner` are up to the prefix `outer`. */
const isPrefixWithin = (inner: readonly number[], outer: readonly number[]): boolean =>
  inner.length >= outer.length
    ? compareVersions(inner, outer, Infinity) <= 0
    : inner.some((number, at) => number < outer[at]! && inner.slice(0, at).every((one, i) => one === outer[i]));
