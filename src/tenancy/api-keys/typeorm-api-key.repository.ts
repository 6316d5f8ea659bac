import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import { NotFound } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import type { Page } from '../../shared/page';
import type { ApiKey, ApiKeyChanges, NewApiKey } from './api-key';
import { type ApiKeyRow, ApiKeySchema } from './api-key.schema';

const limitErrors = {
  api_keys_publishable_limited: () =>
    InvalidInput.asAWhole(
      'invalid_format',
      'A publishable key has allowed_origins and project_ids, no scopes but links:create and conversions:write, and destination_hosts if it ' +
        'creates links; other keys have no allowed_origins and links_per_day',
    ),
};

/** Stores API keys. A live key is not revoked; it may have expired. */
@Injectable()
export class TypeormApiKeyRepository {
  readonly #keys: EntityRows<ApiKeyRow>;

  constructor(context: TransactionContext) {
    this.#keys = new EntityRows(context, ApiKeySchema);
  }

  /** @throws NotFound if the account does not exist */
  async insert(key: NewApiKey, digest: Buffer): Promise<ApiKey> {
    const errors = { api_keys_account_fk: () => new NotFound('Account'), ...limitErrors };
    const { createdAt } = await this.#keys.insert({ ...key, digest }, errors);
    return Object.assign(key, { createdAt });
  }

  /** Lists all keys, oldest first, including revoked and expired ones. */
  list(accountId: string): Promise<ApiKey[]> {
    return this.#keys.repository.find({ where: { accountId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  listLive(accountId: string, request: { page: number; limit: number }): Promise<Page<ApiKey>> {
    return this.#keys.newest({ accountId, revokedAt: IsNull() }, request);
  }

  findLive(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#keys.find({ accountId, id, revokedAt: IsNull() });
  }

  /** Finds a live key, and locks it until the unit of work ends. */
  findLiveForUpdate(accountId: string, id: string): Promise<ApiKey | null> {
    return this.#keys.findForUpdate({ accountId, id, revokedAt: IsNull() });
  }

  /** Finds a key of any account, live or not, and locks it until the unit of work ends. */
  findForUpdate(where: { id: string } | { digest: Buffer }): Promise<ApiKey | null> {
    return this.#keys.findForUpdate(where);
  }

  /** Changes the named fields only. Returns null if the account has no such key. */
  update(accountId: string, id: string, changes: ApiKeyChanges): Promise<ApiKey | null> {
    return this.#keys.update({ accountId, id }, changes, limitErrors);
  }
}
