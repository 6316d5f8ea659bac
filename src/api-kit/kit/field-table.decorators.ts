import { type AnswerFields, type FieldTable, isNullable, propertyOf } from '../../shared/field-table';
import type { TypedSchema } from './answer';
import { ruleDecorator } from './rule.decorator';

export const CreatesFields =
  (fields: FieldTable): ClassDecorator =>
  ({ prototype }) => {
    for (const [name, { rule, description, onCreate, example, required, ...field }] of Object.entries(fields))
      ruleDecorator(rule)({
        description: onCreate ? `${description} ${onCreate}` : description,
        example,
        optional: !required,
        ...(typeof field.default === 'boolean' && { shownDefault: field.default }),
      })(prototype as object, name);
  };

export const UpdatesFields =
  (fields: FieldTable): ClassDecorator =>
  ({ prototype }) => {
    for (const [name, { rule, updateRule, description, onUpdate, example, ...field }] of Object.entries(fields))
      ruleDecorator(updateRule ?? rule)({
        description: onUpdate ? `${description} ${onUpdate}` : description,
        example,
        optional: true,
        nullable: field.default === null,
      })(prototype as object, name);
  };

type AnswerSchemas<F extends FieldTable> = { [N in keyof F]: TypedSchema<AnswerFields<F>[N]> };

export const answersOf = <F extends FieldTable>(fields: F): AnswerSchemas<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { type, enum: choices, items, additionalProperties } = field.rule.schema;
      const shown = {
        type,
        ...(choices && { enum: choices }),
        ...(items && { items: { type: items.type } }),
        ...(typeof additionalProperties === 'object' && {
          additionalProperties: { type: additionalProperties.type },
        }),
        ...field.answer,
        ...(isNullable(field) && { nullable: true }),
      };
      return [name, { ...shown, description: field.description, example: field.example }];
    }),
  ) as AnswerSchemas<F>;

/** Returns a function that converts a body. Absent fields stay absent, because an update does not change them. */
export function bodyReader<T>(fields: FieldTable): (body: object) => T {
  const names = Object.keys(fields).map((name) => [name, propertyOf(name)] as const);
  return (body) => {
    const read: Record<string, unknown> = {};
    for (const [name, property] of names) {
      const value = (body as Record<string, unknown>)[name];
      if (value !== undefined) read[property] = value;
    }
    return read as T;
  };
}

/** Returns a function that writes the fields of a model to an answer. */
export function fieldsRenderer<F extends FieldTable>(
  fields: F,
): <T extends Partial<AnswerFields<F>>>(answer: T, model: object) => T & AnswerFields<F> {
  const names = Object.entries(fields).map(([name, { render }]) => [name, propertyOf(name), render] as const);
  return (answer, model) => {
    const rendered = answer as Record<string, unknown>;
    for (const [name, property, render] of names) {
      const value = (model as Record<string, unknown>)[property];
      rendered[name] = render && value !== null ? render(value as never) : value;
    }
    return rendered as typeof answer & AnswerFields<F>;
  };
}
