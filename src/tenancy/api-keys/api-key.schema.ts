import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns } from '../../platform/tables/field-columns';
import { ApiKey } from './api-key';
import { apiKeyFields } from './api-key-fields';

export type ApiKeyRow = ApiKey & { digest: Buffer };

export const ApiKeySchema = entitySchema<ApiKeyRow>({
  name: 'ApiKey',
  target: ApiKey,
  tableName: 'api_keys',
  columns: {
    id: { type: 'uuid', primary: true },
    accountId: { type: 'uuid', name: 'account_id' },
    userId: { type: 'uuid', name: 'user_id' },
    ...fieldColumns(apiKeyFields),
    prefix: { type: 'text' },
    publishable: { type: 'boolean' },
    digest: { type: 'bytea', select: false },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    lastUsedAt: { type: 'timestamptz', name: 'last_used_at', nullable: true },
    expiresAt: { type: 'timestamptz', name: 'expires_at', nullable: true },
    revokedAt: { type: 'timestamptz', name: 'revoked_at', nullable: true },
  },
});
