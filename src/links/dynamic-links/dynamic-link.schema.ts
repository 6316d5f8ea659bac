import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, idColumns, timeColumns } from '../../platform/tables/field-columns';
import { DynamicLink, type TagIds } from './dynamic-link';
import { readableLinkFields } from './link-fields';

// Links are read with the names of their tags.
const { tags: _, ...stored } = readableLinkFields;

export const DynamicLinkSchema = entitySchema<DynamicLink & TagIds>({
  name: 'DynamicLink',
  target: DynamicLink,
  tableName: 'dynamic_links',
  columns: {
    ...idColumns,
    ...fieldColumns(stored),
    passwordHash: { type: 'bytea', name: 'password_hash', nullable: true },
    usedUp: { type: 'boolean', name: 'used_up' },
    tagIds: { type: 'uuid', name: 'tag_ids', array: true, select: false },
    importedFrom: { type: 'text', name: 'imported_from', nullable: true },
    originalCreatedAt: { type: 'timestamptz', name: 'original_created_at', nullable: true },
    originalClicks: { type: 'bigint', name: 'original_clicks', nullable: true },
    ...timeColumns,
  },
});
