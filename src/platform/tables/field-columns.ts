import type { ColumnType, EntitySchemaColumnOptions } from 'typeorm';
import { type Field, type FieldTable, isNullable, propertyOf } from '../../shared/field-table';

export const fieldColumns = (fields: FieldTable): Record<string, EntitySchemaColumnOptions> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      propertyOf(name),
      {
        type: columnType(field),
        name,
        nullable: isNullable(field),
        array: field.column !== 'json' && field.rule.schema.type === 'array',
      },
    ]),
  );

function columnType({ column, rule: { schema } }: Field): ColumnType {
  if (column !== undefined) return column === 'json' ? 'text' : column;
  const { type, format } = schema.items ?? schema;
  if (format === 'uuid') return 'uuid';
  if (format === 'date-time') return 'timestamptz';
  return type === 'string' ? 'text' : (type as ColumnType);
}

export const timeColumns = {
  createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
} as const;

export const idColumns = {
  id: { type: 'uuid', primary: true },
  projectId: { type: 'uuid', name: 'project_id' },
} as const;
