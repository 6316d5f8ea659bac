import type { Problem } from '../../shared/problem';
import { type ParseResult, Rule, wrongType } from '../../shared/rule';
import { isStorable, text } from '../../shared/text';
import { isObject } from '../../shared/is-object';

/** Data for apps, as JSON text. A text keeps the order of the keys, and compares as a whole. */
export type AppData = string;

const limits = { bytes: 4096, keys: 50, levels: 2 };

const key = text({ min: 1, max: 100 });
const { type: _, ...propertyNames } = key.schema;

/** Reads an object of texts, numbers, booleans, and objects of these, for apps that open the link. */
export const appData = new Rule<AppData>(
  { type: 'object', additionalProperties: true, maxProperties: limits.keys, propertyNames },
  (input): ParseResult<AppData> => {
    if (!isObject(input)) return wrongType('object');
    const problems: Problem[] = [];
    const keys = check(input, [], problems);
    if (keys > limits.keys)
      return { problems: [{ code: 'too_big', path: [], message: `must have at most ${limits.keys} keys in all` }] };
    const json = JSON.stringify(input);
    if (problems.length === 0 && Buffer.byteLength(json) > limits.bytes)
      problems.push({ code: 'too_big', path: [], message: `must have at most ${limits.bytes} bytes as JSON` });
    return problems.length > 0 ? { problems } : { value: json };
  },
);

/** Adds the problems of an object. Returns the number of its keys, which are not checked if there are too many. */
function check(object: object, path: string[], problems: Problem[]): number {
  const entries = Object.entries(object);
  if (entries.length > limits.keys) return entries.length;
  let keys = entries.length;
  for (const [name, value] of entries) {
    const at = [...path, name];
    const reading = key.safeParse(name);
    if ('problems' in reading)
      problems.push(...reading.problems.map(({ code, message }) => ({ code, path: at, message: `key ${message}` })));
    if (isObject(value) && at.length < limits.levels) keys += check(value, at, problems);
    else if (!isValue(value)) problems.push({ code: 'invalid_type', path: at, message: unusable(at.length) });
  }
  return keys;
}

/** Returns whether JSON can express the value. A number such as 1e999 becomes infinite. */
const isValue = (value: unknown): boolean =>
  typeof value === 'string' ? isStorable(value) : typeof value === 'boolean' || Number.isFinite(value);

const unusable = (level: number): string =>
  `must be a Unicode text, a finite number or a boolean${level < limits.levels ? ', or an object of these' : ''}`;
