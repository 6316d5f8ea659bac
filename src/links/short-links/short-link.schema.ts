import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, idColumns, timeColumns } from '../../platform/tables/field-columns';
import { ShortLink } from './short-link';
import { shortLinkFields } from './short-link-fields';

export const ShortLinkSchema = entitySchema<ShortLink>({
  name: 'ShortLink',
  target: ShortLink,
  tableName: 'short_links',
  columns: {
    ...idColumns,
    ...fieldColumns(shortLinkFields),
    source: { type: 'text' },
    createdBy: { type: 'uuid', name: 'created_by', nullable: true },
    createdByApiKeyId: { type: 'uuid', name: 'created_by_api_key_id', nullable: true },
    ...timeColumns,
  },
});
