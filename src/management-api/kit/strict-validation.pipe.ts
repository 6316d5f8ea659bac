import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ForbiddenField, InvalidInput, type Problem } from '../../shared/problem';
import { declaredFields } from './declared-fields';
import { Refusal } from './rule.decorator';

/**
 * Extends Nest's ValidationPipe: an unknown field of a body or query is refused before every other fault (docs/contract.md,
 * “Errors and codes”).
 */
@Injectable()
export class StrictValidationPipe extends ValidationPipe {
  constructor() {
    super({ transform: true, forbidUnknownValues: true, exceptionFactory: toInvalidInput });
  }

  /** @throws ForbiddenField, InvalidInput */
  override async transform(sent: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { names, defaults } = declaredFields(metadata.metatype);
    if (names.size === 0) return super.transform(sent, metadata);
    if (!isObject(sent)) throw new InvalidInput('The body must be a JSON object');
    // `whitelist` comes too late: class-transformer has dropped names such as `__proto__` and `toString` by then.
    const unknown = Object.keys(sent).filter((name) => !names.has(name));
    if (unknown.length > 0) throw metadata.type === 'body' ? new ForbiddenField(unknown) : unknownParameters(unknown);
    return super.transform({ ...defaults, ...sent }, metadata);
  }

  /** Does nothing, because `__proto__` and `constructor` are valid keys of `referrer_params`. */
  protected override stripProtoKeys(): void {}

  /** Does nothing, because arrays of JSON have no gaps. */
  protected override closeArrayGaps(): void {}
}

export const unknownParameters = (names: string[]): InvalidInput =>
  InvalidInput.because(
    names.flatMap((name) =>
      inField(name.slice(0, 100).toWellFormed(), [
        { code: 'unrecognized_key', path: [], message: 'is not a query parameter of this operation' },
      ]),
    ),
  );

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toInvalidInput = (errors: ValidationError[]): InvalidInput => InvalidInput.because(errors.flatMap(problemsOf));

function problemsOf({ property, value, constraints = {} }: ValidationError): Problem[] {
  if (value instanceof Refusal) return inField(property, value.problems);
  if (value === undefined) return inField(property, [{ code: 'required', path: [], message: 'is required' }]);
  // Messages of class-validator's own decorators begin with the property.
  return Object.values(constraints).map((message) => ({ code: 'invalid_format', path: [property], message }));
}

/** Adds the field's name to paths and messages, which rules state without it. */
const inField = (name: string, problems: Problem[]): Problem[] =>
  problems.map(({ code, path, message }) => {
    const where = [name, ...path];
    return { code, path: where, message: `${where.join('.')} ${message}` };
  });
