import type { Type } from '@nestjs/common';
import { ForbiddenField, InvalidInput, type Problem } from '../../shared/problem';
import { StrictValidationPipe } from './strict-validation.pipe';
import { isObject } from '../../shared/is-object';

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
