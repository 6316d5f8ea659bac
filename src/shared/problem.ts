import { DomainError } from './domain-error';

/** The kinds of faults, for programs (docs/contract.md, “Errors and codes”). */
export const problemCodes = [
  'invalid_json',
  'required',
  'invalid_type',
  'too_big',
  'too_small',
  'invalid_format',
  'invalid_enum_value',
  'unrecognized_key',
] as const;

/** States one fault of an input, in the form of the error body's `details`. */
export interface Problem {
  code: (typeof problemCodes)[number];
  /**
   * The name of a field, query parameter or header exactly as sent, and indexes or keys inside arrays and objects. Empty if the
   * whole body or URL is at fault.
   */
  path: (string | number)[];
  message: string;
}

/** Refuses a body, query, URL or header that breaks a rule. */
export class InvalidInput extends DomainError {
  readonly code = 'INVALID_INPUT';

  constructor(override readonly details: Problem[]) {
    super(details.map(({ message }) => message).join('; '));
  }

  /** @param problems at least one */
  static because(problems: Problem[]): InvalidInput {
    return new InvalidInput(problems);
  }

  /** Refuses a body or URL as a whole, or the header that `path` names. */
  static asAWhole(code: Problem['code'], message: string, path: Problem['path'] = []): InvalidInput {
    return new InvalidInput([{ code, path, message }]);
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

/** Limits `details`, because a body of 100 kB can contain enough names for megabytes of `details`. */
const maxNamedFields = 100;

/** Returns a name that the caller chose in the length of a message. */
export const clip = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text).toWellFormed();

/** The problem of an absent field, without its name. */
export const isRequired: Problem = { code: 'required', path: [], message: 'is required' };

/** Adds the field's name to paths and messages, which rules state without it. */
export const inField = (name: string, problems: Problem[]): Problem[] =>
  problems.map(({ code, path, message }) => {
    const where = [name, ...path];
    return { code, path: where, message: `${where.map((part) => clip(String(part))).join('.')} ${message}` };
  });
