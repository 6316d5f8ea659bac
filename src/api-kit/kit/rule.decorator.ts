import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDefined, ValidateBy } from 'class-validator';
import type { Problem } from '../../shared/problem';
import type { Rule } from '../../shared/rule';
import { withDefault } from './declared-fields';

export interface FieldOptions {
  description: string;
  example?: unknown;
  /** The field may be absent. Default: whether the rule has a default value. */
  optional?: boolean;
  /** The value of an absent field, if only the description shows it. */
  shownDefault?: boolean;
  /** Null clears the field. Only for optional fields. */
  nullable?: boolean;
}

export const optionally = (description: string, example: unknown) => ({ description, example, optional: true });

/** Replaces a refused value in the instance of a body or query class. */
export class Refusal {
  constructor(readonly problems: Problem[]) {}
}

const isAccepted = { name: 'rule', validator: { validate: (value: unknown) => !(value instanceof Refusal) } };

/**
 * Composes the decorator of a rule. Class-transformer reads the value by the rule once, and class-validator checks the result.
 * The API description shows the rule's schema. Absent fields stay absent, so that an update can distinguish them from null.
 */
export const ruleDecorator =
  (rule: Rule<unknown>) =>
  (options: FieldOptions): PropertyDecorator => {
    const fallback = rule.schema.default;
    const { optional = fallback !== undefined, nullable = false } = options;
    return applyDecorators(
      // Stops class-transformer from copying objects, which loses `__proto__` and fails on a `constructor` that is no class.
      Type(() => Boolean),
      Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => {
        const sent = obj[key];
        if (sent === null && nullable) return null;
        const reading = rule.safeParse(sent);
        return 'problems' in reading ? new Refusal(reading.problems) : reading.value;
      }),
      // `IsOptional` would add nothing: an absent value is no refusal.
      ...(optional ? [] : [IsDefined()]),
      // A default is written as in a query string.
      ValidateBy(isAccepted, fallback === undefined ? {} : withDefault(String(fallback))),
      ApiProperty(describe(rule, { ...options, optional, nullable })),
    );
  };

function describe(rule: Rule<unknown>, options: FieldOptions): object {
  const { description, example, optional, nullable, shownDefault } = options;
  const { additionalProperties, items, ...schema } = rule.schema;
  return {
    ...schema,
    ...(items && { items }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    required: !optional,
    ...(nullable && { nullable: true }),
    ...(shownDefault !== undefined && { default: shownDefault }),
    description,
    ...(example !== undefined && { example }),
  };
}
