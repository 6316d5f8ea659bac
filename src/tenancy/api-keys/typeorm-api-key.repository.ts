import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { readNewest } from '../../platform/tables/typeorm-page';
import { NotFound } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import type { Page } from '../../shared/page';
import type { ApiKey, ApiKeyChanges, NewApiKey } from './api-key';
import { ApiKeyRepository } from './api-key.repository';
import { type ApiKeyRow, ApiKeySchema } from './api-key.schema';

const lock = { mode: 'for_no_key_update' } as const;

const limitErrors = {
  api_keys_publishable_limited: () =>
    InvalidInput.asAWhole(
      'invalid_format',
      'A publishable key has allowed_origins and project_ids, no scopes but links:create and conversions:write, and destination_hosts if it ' +
        'creates links; other keys have no allowed_origins and links_per_day',
    ),
};

@Injectable()
export class TypeormApiKeyRepository extends ApiKeyRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  get #keys(): Repository<ApiKeyRow> {
    return this.context.manager.getRepository(ApiKeySchema);
  }

  async insert(key: NewApiKey, digest: Buffer): Promise<ApiKey> {
    const errors = { api_keys_account_fk: () => new NotFound('Account'), ...limitErrors };
    const row = { ...key, digest } as ApiKeyRow;
    await mapConstraintErrors(errors, () => this.context.run(() => this.#keys.insert(row)));
    return Object.assign(key, { createdAt: row.createdAt });
  }

  list(accountId: string): Promise<ApiKey[]> {
    return this.#keys.find({ where: { accountId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  listLive(accountId: string, request: { page: number; limit: number }): Promise<Page<ApiKey>> {
    return readNewest(this.#keys, { accountId, revokedAt: IsNull() }, request);
  }

  findLive(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#keys.findOneBy({ accountId, id, revokedAt: IsNull() });
  }

  findLiveForUpdate(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#keys.findOne({ where: { accountId, id, revokedAt: IsNull() }, lock });
  }

  findForUpdate(id: string): Promise<ApiKey | null> {
    return this.#keys.findOne({ where: { id }, lock });
  }

  findByDigestForUpdate(digest: Buffer): Promise<ApiKey | null> {
    return this.#keys.findOne({ where: { digest }, lock });
  }

  update(accountId: string, id: string, changes: ApiKeyChanges): Promise<ApiKey | null> {
    return this.context.run(async () => {
      if (Object.keys(changes).length > 0)
        await mapConstraintErrors(limitErrors, () => this.#keys.update({ accountId, id }, changes));
      return this.#keys.findOneBy({ accountId, id });
    });
  }
}
