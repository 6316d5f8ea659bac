import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import type { Plan } from '../accounts/plan';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { type ListOf, Rows } from '../../platform/postgres/rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { BatchLoader } from '../../platform/postgres/batch-loader';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { ApiKey, type NewApiKey } from './api-key';
import { ApiKeyRepository, type KnownKey } from './api-key.repository';
import { type ApiKeyRow, ApiKeySchema } from './api-key.schema';

const live = 't.revoked_at IS NULL';
const one = `t.account_id = $1 AND t.id = $2 AND ${live}`;

const liveKeys: ListOf<'created_at'> = {
  owner: 'account_id',
  only: live,
  sortColumns: { created_at: 'created_at' },
};

@Injectable()
export class TypeormApiKeyRepository extends ApiKeyRepository {
  readonly #rows: Rows<ApiKey>;
  /** Whoever guesses keys takes turns with those who have some: his many are one query. */
  readonly #callers: BatchLoader<KnownKey>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#rows = new Rows(context, ApiKeySchema);
    this.#callers = new BatchLoader((digests) => this.#findCallers(digests));
  }

  private get table(): Repository<ApiKeyRow> {
    return this.context.manager.getRepository(ApiKeySchema);
  }

  async findCaller(digest: Buffer): Promise<KnownKey | null> {
    return this.#callers.find(digest.toString('hex'));
  }

  async #findCallers(digests: string[]): Promise<Map<string, KnownKey>> {
    const rows = await this.context.read<{
      digest: string;
      id: string;
      account_id: string;
      user_id: string;
      plan: Plan;
      expires_at: Date | null;
    }>(
      `SELECT encode(k.digest, 'hex') AS digest, k.id, k.account_id, k.user_id, a.plan, k.expires_at
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
       WHERE k.digest = ANY ($1::bytea[]) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
      [digests.map((digest) => Buffer.from(digest, 'hex'))],
    );
    return new Map(
      rows.map(({ digest, id, account_id, user_id, plan, expires_at }) => [
        digest,
        { caller: { accountId: account_id, plan, userId: user_id, apiKeyId: id }, expiresAt: expires_at },
      ]),
    );
  }

  async insert(fields: NewApiKey, digest: Buffer): Promise<ApiKey> {
    const missing = {
      api_keys_account_fk: () => new NotFound('Account'),
      api_keys_user_fk: () => new NotFound('User'),
    };
    const row = Object.assign(new ApiKey(), fields, { digest, lastUsedAt: null, revokedAt: null });
    await mapConstraintErrors(missing, () => this.table.insert(row));
    const { digest: _, ...key } = row;
    return key;
  }

  list(accountId: string): Promise<ApiKey[]> {
    return this.#rows.findAll('t.account_id = $1 ORDER BY t.created_at, t.id', [accountId]);
  }

  async revoke(id: string): Promise<ApiKey | null> {
    await this.context.manager.query('UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1', [
      id,
    ]);
    return this.#rows.find('t.id = $1', [id]);
  }

  listLive(accountId: string, { page, limit }: { page: number; limit: number }): Promise<Page<ApiKey>> {
    return this.#rows.page(liveKeys, accountId, { page, limit, sortBy: 'created_at', sortOrder: 'desc' });
  }

  findLive(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#rows.find(one, [accountId, id]);
  }

  findLiveForUpdate(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#rows.findForUpdate(one, [accountId, id]);
  }

  async updateLive(accountId: string, id: string, changes: { name?: string }): Promise<ApiKey | null> {
    if (Object.keys(changes).length > 0) await this.table.update({ id, accountId, revokedAt: IsNull() }, changes);
    return this.findLive(accountId, id);
  }

  async revokeLive(accountId: string, id: string): Promise<boolean> {
    const { affected } = await this.table.update({ id, accountId, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    return affected === 1;
  }

  async touch(lastUses: ReadonlyMap<string, Date>): Promise<void> {
    await this.context.manager.query(
      `UPDATE api_keys SET last_used_at = used.at
       FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)
       WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
      [[...lastUses.keys()], [...lastUses.values()]],
    );
  }
}
