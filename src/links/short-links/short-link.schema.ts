import { EntitySchema } from 'typeorm';
import { fieldColumns } from '../../platform/tables/field-columns';
import { ShortLink } from './short-link';
import { shortLinkFields } from './short-link-fields';

export const ShortLinkSchema = new EntitySchema<ShortLink>({
  name: 'ShortLink',
  target: ShortLink,
  tableName: 'short_links',
  columns: {
    id: { type: 'uuid', primary: true },
    projectId: { type: 'uuid', name: 'project_id' },
    ...fieldColumns(shortLinkFields),
    source: { type: 'text' },
    createdBy: { type: 'uuid', name: 'created_by', nullable: true },
    createdByApiKeyId: { type: 'uuid', name: 'created_by_api_key_id', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
  },
});
