import type { EntitySchemaColumnOptions } from 'typeorm';
import { type FieldTable, isNullable, propertyOf } from '../../shared/field-table';

export const fieldColumns = (fields: FieldTable): Record<string, EntitySchemaColumnOptions> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      propertyOf(name),
      {
        type: field.column === 'json' ? 'text' : field.column,
        name,
        nullable: isNullable(field),
        array: field.column !== 'json' && field.rule.schema.type === 'array',
      },
    ]),
  );

export const timeColumns = {
  createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
} as const;

export const idColumns = {
  id: { type: 'uuid', primary: true },
  projectId: { type: 'uuid', name: 'project_id' },
} as const;
