import { entitySchema } from '../../platform/postgres/entity-schemas';
import { idColumns } from '../../platform/tables/field-columns';
import type { Share } from './share';

export type ShareRow = Share & { tokenDigest: Buffer };

export const ShareSchema = entitySchema<ShareRow>({
  name: 'Share',
  tableName: 'statistic_shares',
  columns: {
    ...idColumns,
    name: { type: 'text' },
    dynamicLinkId: { type: 'uuid', name: 'dynamic_link_id', nullable: true },
    tagId: { type: 'uuid', name: 'tag_id', nullable: true },
    timezone: { type: 'text' },
    tokenDigest: { type: 'bytea', name: 'token_digest', select: false },
    passwordHash: { type: 'bytea', name: 'password_hash', nullable: true },
    expiresAt: { type: 'timestamptz', name: 'expires_at' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  },
});
