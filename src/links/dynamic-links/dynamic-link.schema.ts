import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { type Field, isNullable, propertyOf } from '../../shared/field-table';
import { DynamicLink, type TagIds } from './dynamic-link';
import { linkFieldEntries } from './link-fields';

const settable = linkFieldEntries.filter(([name]) => name !== 'tags');

const columnOf = ([name, field]: [string, Field]): [string, EntitySchemaColumnOptions] => [
  propertyOf(name),
  { type: field.column, name, nullable: isNullable(field), array: field.rule.schema.type === 'array' },
];

export const DynamicLinkSchema = new EntitySchema<DynamicLink & TagIds>({
  name: 'DynamicLink',
  target: DynamicLink,
  tableName: 'dynamic_links',
  columns: {
    id: { type: 'uuid', primary: true },
    projectId: { type: 'uuid', name: 'project_id' },
    ...Object.fromEntries(settable.map(columnOf)),
    // Links are read with the names of their tags.
    tagIds: { type: 'uuid', name: 'tag_ids', array: true, select: false },
    importedFrom: { type: 'text', name: 'imported_from', nullable: true },
    originalCreatedAt: { type: 'timestamptz', name: 'original_created_at', nullable: true },
    originalClicks: { type: 'bigint', name: 'original_clicks', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
  },
});
