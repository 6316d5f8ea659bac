import type { Type } from '@nestjs/common';
import { EventLoopTurns } from '../../shared/event-loop-turns';
import { ForbiddenField, InvalidInput, type Problem } from '../../shared/problem';
import { StrictValidationPipe } from './strict-validation.pipe';
import { isObject } from '../../shared/is-object';
import { refused, Rule, wrongType } from '../../shared/rule';

const pipe = new StrictValidationPipe();

/** Problems that the error of a nested object lists, because the objects of one body can have very many. */
export const maxNestedProblems = 10;

/**
 * Reads an object in a body by the rules of a class. Faults name the fields from the body on.
 * @throws ForbiddenField, InvalidInput
 */
export async function readNested<T extends object>(name: string, sent: unknown, metatype: Type<T>): Promise<T> {
  if (sent === undefined) throw InvalidInput.asAWhole('required', `${name} is required`, [name]);
  if (!isObject(sent)) throw InvalidInput.asAWhole('invalid_type', `${name} must be an object`, [name]);
  try {
    return (await pipe.transform(sent, { type: 'body', metatype })) as T;
  } catch (error) {
    throw error instanceof InvalidInput || error instanceof ForbiddenField ? nestedError(name, error) : error;
  }
}

/** Returns the error with paths that begin at the name of the field that has the object. */
export function nestedError(name: string, error: InvalidInput | ForbiddenField): InvalidInput | ForbiddenField {
  const details = error.details
    .slice(0, maxNestedProblems)
    .map((problem): Problem => ({ ...problem, path: [name, ...problem.path] }));
  if (error instanceof InvalidInput) return InvalidInput.because(details);
  const fields = error.details.slice(0, maxNestedProblems).map(({ path }) => String(path[0]));
  return Object.assign(new ForbiddenField(fields), { details });
}

/** Accepts a list of objects, which are read one by one. */
export const nestedList = (maxItems: number) =>
  new Rule<unknown[]>({ type: 'array', items: { type: 'object' }, minItems: 1, maxItems }, (value) => {
    if (!Array.isArray(value)) return wrongType('array');
    if (value.length === 0) return refused('too_small', 'must have at least 1 item');
    return value.length > maxItems ? refused('too_big', `must have at most ${maxItems} items`) : { value };
  });

/** Reads or renders values one by one, and lets other requests run in between. */
export async function oneByOne<S, T>(values: readonly S[], convert: (value: S) => T | Promise<T>): Promise<T[]> {
  const turns = new EventLoopTurns();
  const converted: T[] = [];
  for (const value of values) {
    converted.push(await convert(value));
    await turns.next();
  }
  return converted;
}
