import { EntitySchema } from 'typeorm';
import type { Tag } from './tag';

export const TagSchema = new EntitySchema<Tag>({
  name: 'Tag',
  tableName: 'tags',
  columns: {
    id: { type: 'uuid', primary: true },
    projectId: { type: 'uuid', name: 'project_id' },
    name: { type: 'text' },
    foldedName: { type: 'text', name: 'folded_name' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
  },
});
