import { Injectable } from '@nestjs/common';
import type { Plan } from '../accounts/plan';
import { translating } from '../database/database-error';
import { Session } from '../database/session';
import { NotFound } from '../shared/domain-error';
import type { ApiKey, Caller } from './api-key';
import { ApiKeyRepository } from './api-key.repository';

interface ApiKeyRow {
  id: string;
  account_id: string;
  user_id: string;
  name: string;
  prefix: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const columns = 'id, account_id, user_id, name, prefix, created_at, last_used_at, expires_at, revoked_at';

@Injectable()
export class TypeormApiKeyRepository extends ApiKeyRepository {
  constructor(private readonly session: Session) {
    super();
  }

  async findCaller(digest: Buffer): Promise<{ caller: Caller; expiresAt: Date | null } | null> {
    const [row] = await this.session.read<{
      id: string;
      account_id: string;
      user_id: string;
      plan: Plan;
      expires_at: Date | null;
    }>(
      `SELECT k.id, k.account_id, k.user_id, a.plan, k.expires_at
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
       WHERE k.digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
      [digest],
    );
    if (!row) return null;
    const caller = { accountId: row.account_id, plan: row.plan, userId: row.user_id, apiKeyId: row.id };
    return { caller, expiresAt: row.expires_at };
  }

  async insert(key: Omit<ApiKey, 'createdAt' | 'lastUsedAt' | 'revokedAt'>, digest: Buffer): Promise<ApiKey> {
    const missing = {
      api_keys_account_fk: () => new NotFound('Account'),
      api_keys_user_fk: () => new NotFound('User'),
    };
    const [row] = await translating(missing, () =>
      this.session.manager.query<ApiKeyRow[]>(
        `INSERT INTO api_keys (id, account_id, user_id, name, prefix, expires_at, digest)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
        [key.id, key.accountId, key.userId, key.name, key.prefix, key.expiresAt, digest],
      ),
    );
    return toApiKey(row!);
  }

  async list(accountId: string): Promise<ApiKey[]> {
    const rows = await this.session.read<ApiKeyRow>(
      `SELECT ${columns} FROM api_keys WHERE account_id = $1 ORDER BY created_at, id`,
      [accountId],
    );
    return rows.map(toApiKey);
  }

  async revoke(id: string): Promise<ApiKey | null> {
    const [rows] = await this.session.manager.query<[ApiKeyRow[], number]>(
      `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING ${columns}`,
      [id],
    );
    return rows[0] ? toApiKey(rows[0]) : null;
  }

  async touch(lastUses: ReadonlyMap<string, Date>): Promise<void> {
    await this.session.manager.query(
      `UPDATE api_keys SET last_used_at = used.at
       FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)
       WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
      [[...lastUses.keys()], [...lastUses.values()]],
    );
  }
}

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  accountId: row.account_id,
  userId: row.user_id,
  name: row.name,
  prefix: row.prefix,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});
