import { ApiProperty } from '@nestjs/swagger';
import { registerDecorator, ValidateIf } from 'class-validator';
import type { Problem } from '../../shared/problem';
import { type Reading, refused, type Rule } from '../../shared/rule';

interface FieldOptions {
  description: string;
  example?: unknown;
  /** May be absent. */
  optional?: boolean;
  /** May be null, to clear. */
  nullable?: boolean;
}

interface FieldRule {
  rule: Rule<unknown>;
  nullable: boolean;
}

const fieldsKey = Symbol('fields');

/**
 * A field of a request body or a query: the rule checks it (through class-validator), normalises it, and describes it in the
 * API description. A class with such fields takes these and no others.
 */
export function Field<T>(rule: Rule<T>, options: FieldOptions): PropertyDecorator {
  const { optional = false, nullable = false } = options;
  return (prototype, property) => {
    const name = String(property);
    const inherited = fieldsOf(prototype.constructor);
    Reflect.defineMetadata(fieldsKey, new Map([...inherited, [name, { rule, nullable }]]), prototype);
    ApiProperty(describe(rule, options))(prototype, property);
    if (optional) ValidateIf((body: Record<string, unknown>) => body[name] !== undefined)(prototype, property);
    registerDecorator({
      name: 'field',
      target: prototype.constructor,
      propertyName: name,
      validator: { validate: (value: unknown) => !('problems' in readField({ rule, nullable }, value)) },
    });
  };
}

export function fieldsOf(type: unknown): ReadonlyMap<string, FieldRule> {
  const prototype = (type as { prototype?: object } | undefined)?.prototype;
  return (prototype && (Reflect.getMetadata(fieldsKey, prototype) as Map<string, FieldRule>)) ?? new Map();
}

export function readField(field: FieldRule, value: unknown): Reading<unknown> {
  if (value === undefined) return refused('required', 'is required');
  if (value === null && field.nullable) return { value: null };
  return field.rule.read(value);
}

/** The fields that are there: what an update must leave alone stays absent. */
export const present = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** Paths and messages of a field's rule are its own; in the answer they begin with the field's name. */
export const inField = (name: string, problems: Problem[]): Problem[] =>
  problems.map(({ code, path, message }) => {
    const where = [name, ...path];
    return { code, path: where, message: `${where.join('.')} ${message}` };
  });

function describe<T>(rule: Rule<T>, { description, example, optional, nullable }: FieldOptions): object {
  const { additionalProperties, items, ...schema } = rule.schema;
  return {
    ...schema,
    ...(items && { items }),
    ...(additionalProperties && { additionalProperties }),
    required: !optional,
    ...(nullable && { nullable: true }),
    description,
    ...(example !== undefined && { example }),
  };
}
