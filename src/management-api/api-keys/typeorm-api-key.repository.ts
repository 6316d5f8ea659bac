import { Injectable } from '@nestjs/common';
import type { Plan } from '../accounts/plan';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { BatchLoader } from '../../platform/postgres/batch-loader';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { ApiKey, ApiKeyChanges, NewApiKey } from './api-key';
import { ApiKeyRepository, type KnownKey } from './api-key.repository';
import { type ApiKeyRow, ApiKeySchema } from './api-key.schema';

const liveKeys: ListDefinition<'created_at'> = {
  owner: 'account_id',
  only: 't.revoked_at IS NULL',
  sortColumns: { created_at: 'created_at' },
};

@Injectable()
export class TypeormApiKeyRepository extends ApiKeyRepository {
  readonly #keys: OwnedRows<ApiKeyRow, 'created_at'>;
  /** Batches look-ups, so that guessing keys costs one query per turn of the event loop. */
  readonly #callers: BatchLoader<KnownKey>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#keys = new OwnedRows(context, ApiKeySchema, liveKeys);
    this.#callers = new BatchLoader((digests) => this.#findCallers(digests));
  }

  async findCaller(digest: Buffer): Promise<KnownKey | null> {
    return this.#callers.find(digest.toString('hex'));
  }

  async #findCallers(digests: string[]): Promise<Map<string, KnownKey>> {
    const sentAtMs = performance.now();
    const rows = await this.context.read<{
      digest: string;
      id: string;
      account_id: string;
      user_id: string;
      plan: Plan;
      valid_for_ms: number | null;
    }>(
      `SELECT encode(k.digest, 'hex') AS digest, k.id, k.account_id, k.user_id, a.plan,
              extract(epoch FROM k.expires_at - now())::float8 * 1000 AS valid_for_ms
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
       WHERE k.digest = ANY ($1::bytea[]) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
      [digests.map((digest) => Buffer.from(digest, 'hex'))],
    );
    return new Map(
      rows.map(({ digest, id, account_id, user_id, plan, valid_for_ms }) => [
        digest,
        {
          caller: { accountId: account_id, plan, userId: user_id, apiKeyId: id },
          validUntilMs: sentAtMs + (valid_for_ms ?? Infinity),
        },
      ]),
    );
  }

  async insert(key: NewApiKey, digest: Buffer): Promise<ApiKey> {
    const errors = {
      api_keys_account_fk: () => new NotFound('Account'),
    };
    const row = { ...key, digest } as ApiKeyRow;
    const { createdAt } = await mapConstraintErrors(errors, () => this.#keys.insert(row));
    return Object.assign(key, { createdAt });
  }

  list(accountId: string): Promise<ApiKey[]> {
    return this.#keys.findAll('t.account_id = $1 ORDER BY t.created_at, t.id', [accountId]);
  }

  listLive(accountId: string, { page, limit }: { page: number; limit: number }): Promise<Page<ApiKey>> {
    return this.#keys.page(accountId, { page, limit, sortBy: 'created_at', sortOrder: 'desc' });
  }

  findLive(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#keys.find(accountId, id);
  }

  findLiveForUpdate(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#keys.findForUpdate(accountId, id);
  }

  async findForUpdate(id: string): Promise<ApiKey | null> {
    await this.context.read('SELECT FROM api_keys WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const [key] = await this.#keys.findAll('t.id = $1', [id]);
    return key ?? null;
  }

  async update(accountId: string, id: string, changes: ApiKeyChanges): Promise<ApiKey | null> {
    if (Object.keys(changes).length > 0) await this.#keys.table.update({ accountId, id }, changes);
    const [key] = await this.#keys.findAll('t.account_id = $1 AND t.id = $2', [accountId, id]);
    return key ?? null;
  }

  async touch(lastUses: ReadonlyMap<string, number>): Promise<void> {
    await this.context.manager.query(
      `UPDATE api_keys SET last_used_at = used.at
       FROM (
         SELECT id, date_trunc('minute', now() - age * interval '1 millisecond', 'UTC') AS at
         FROM unnest($1::uuid[], $2::float8[]) AS use (id, age)
       ) AS used
       WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
      [[...lastUses.keys()], Array.from(lastUses.values(), (at) => performance.now() - at)],
    );
  }
}
