import { DomainError } from './domain-error';

/** States one fault of an input, in the form of the error body's `details`. */
export interface Problem {
  code:
    | 'required'
    | 'invalid_type'
    | 'too_big'
    | 'too_small'
    | 'invalid_format'
    | 'invalid_enum_value'
    | 'unrecognized_key';
  /** Field names, and indexes or keys inside arrays and objects. */
  path: (string | number)[];
  message: string;
}

/** Refuses a body or query that breaks a rule. */
export class InvalidInput extends DomainError {
  readonly code = 'INVALID_INPUT';

  constructor(
    message: string,
    override readonly details?: Problem[],
  ) {
    super(message);
  }

  static because(problems: Problem[]): InvalidInput {
    return new InvalidInput(problems.map((problem) => problem.message).join('; '), problems);
  }
}

/** Refuses a body with fields that the operation does not accept, such as the read-only `id`. */
export class ForbiddenField extends DomainError {
  readonly code = 'FORBIDDEN_FIELD';
  override readonly details: Problem[];

  constructor(fields: string[]) {
    const named = fields.slice(0, maxNamedFields).map(clip);
    super(
      `Fields that this operation does not accept: ${named.join(', ')}${fields.length > maxNamedFields ? ', …' : ''}`,
    );
    this.details = fields.slice(0, maxNamedFields).map((field) => ({
      code: 'unrecognized_key',
      path: [field],
      message: `${clip(field)} is not a field that this operation takes`,
    }));
  }
}

/** Limits the answer, because a body of 100 kB can contain enough names for megabytes of `details`. */
const maxNamedFields = 100;

const clip = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text).toWellFormed();
