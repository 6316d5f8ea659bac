import type { EntitySchemaColumnOptions } from 'typeorm';
import { type FieldTable, isNullable, propertyOf } from '../../shared/field-table';

/** Returns the columns of the fields, by property. */
export const fieldColumns = (fields: FieldTable): Record<string, EntitySchemaColumnOptions> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      propertyOf(name),
      { type: field.column, name, nullable: isNullable(field), array: field.rule.schema.type === 'array' },
    ]),
  );
